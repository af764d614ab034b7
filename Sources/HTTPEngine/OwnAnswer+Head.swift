import Glibc
import StorageModel

extension OwnAnswer {
    /// What is sent before the body, in pieces and with pauses where the form says so.
    static func lead(_ exchange: HTTPExchange) -> ArraySlice<WireStep> {
        var steps = exchange.form.script ?? [.send(head(exchange))]
        if let slices = exchange.form.headSlices {
            steps = steps.map { step in
                guard case .send(let bytes) = step else { return step }
                return .slices(bytes, size: slices.size, gap: slices.gap)
            }
        }
        let before: [WireStep] =
            exchange.form.lead.isEmpty ? [] : [.send(exchange.form.lead)]
        return (before + steps.flatMap(plain))[...]
    }

    /// Sends and pauses alone.
    private static func plain(_ step: WireStep) -> [WireStep] {
        guard case .slices(let bytes, let size, let gap) = step else { return [step] }
        var steps: [WireStep] = []
        for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
            if start > 0 { steps.append(.wait(gap)) }
            steps.append(.send(Array(bytes[start..<min(start + max(1, size), bytes.count)])))
        }
        return steps
    }

    /// Status line and fields, with what belongs to them.
    static func head(_ exchange: HTTPExchange) -> [UInt8] {
        guard let response = exchange.response else { return [] }
        return head(
            response, exchange.form, isChunked: exchange.isAnswerChunked,
            mayChunk: exchange.head.version != "HTTP/1.0" && !exchange.form.isHTTP10,
            isLast: !exchange.keepsConnection)
    }

    /// A whole answer: for clients whose request is not read.
    static func whole(_ response: HTTPResponse) -> [UInt8] {
        head(response, AnswerForm(), isChunked: false, mayChunk: false, isLast: true)
            + response.body.allBytes
    }

    private static func head(
        _ response: HTTPResponse, _ form: AnswerForm, isChunked: Bool, mayChunk: Bool,
        isLast: Bool
    ) -> [UInt8] {
        let reason = response.reason ?? ParserAnswer.usualReason(response.status)
        var text = "HTTP/1.\(form.isHTTP10 ? 0 : 1) \(response.status) \(reason)\r\n"
        if response.headers["Date"] == nil { text += "Date: \(date())\r\n" }
        for field in response.headers.fields { text += "\(field.name): \(field.value)\r\n" }
        let isCoded = response.headers["Transfer-Encoding"] != nil
        if response.headers["Content-Length"] == nil, !isCoded, !response.isChunked,
            response.status != 204, !(100...199).contains(response.status)
        {
            for _ in 0..<form.lengthFields {
                text += "Content-Length: \(response.body.count)\r\n"
            }
        }
        if response.isChunked, mayChunk, !isCoded { text += "Transfer-Encoding: chunked\r\n" }
        if isChunked, case .trailer(let fields)? = form.chunkFault {
            for field in fields.fields { text += "Trailer: \(field.name)\r\n" }
        }
        // An answer of HTTP/1.0 ends its connection without saying so.
        if isLast, !form.isHTTP10, response.headers["Connection"] == nil {
            text += "Connection: close\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// What stands where a size should.
    static let badSize = "zz"

    /// The byte of the body at which the chunk with the bad size begins.
    var badChunk: Int64? {
        guard case .badSize(let place)? = exchange.form.chunkFault else { return nil }
        return min(place, exchange.responseLength)
    }

    /// What ends a chunked body. Source: RFC 9112 section 7.1.
    var lastChunk: [UInt8] {
        switch exchange.form.chunkFault {
        case .noLastChunk: []
        case .badSize:
            Array("\(badChunk == exchange.responseLength ? Self.badSize : "0")\r\n\r\n".utf8)
        case .bytesAfterLast(let bytes): Array("0\r\n\r\n".utf8) + bytes
        case .trailer(let fields):
            Array(
                ("0\r\n" + fields.fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n")
                    .utf8)
        case nil: Array("0\r\n\r\n".utf8)
        }
    }

    /// The form of RFC 9110 section 5.6.7.
    private static func date() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
