import Glibc
import StorageModel

extension OwnAnswer {
    /// Status line and fields, with what belongs to them.
    static func head(_ exchange: HTTPExchange) -> [UInt8] {
        guard let response = exchange.response else { return [] }
        return head(
            response, hasBody: exchange.head.method != "HEAD",
            mayChunk: exchange.head.version != "HTTP/1.0")
    }

    /// A whole answer: for clients that are turned away.
    static func whole(_ response: HTTPResponse) -> [UInt8] {
        head(response, hasBody: true, mayChunk: false) + response.body.allBytes
    }

    private static func head(
        _ response: HTTPResponse, hasBody: Bool, mayChunk: Bool
    ) -> [UInt8] {
        let reason = response.reason ?? ParserAnswer.usualReason(response.status)
        var text = "HTTP/1.1 \(response.status) \(reason)\r\n"
        if response.headers["Date"] == nil { text += "Date: \(date())\r\n" }
        for field in response.headers.fields { text += "\(field.name): \(field.value)\r\n" }
        if response.headers["Content-Length"] == nil,
            response.headers["Transfer-Encoding"] == nil
        {
            if !response.isChunked, response.status != 204, !(100...199).contains(response.status) {
                text += "Content-Length: \(response.body.count)\r\n"
            } else if response.isChunked, mayChunk {
                text += "Transfer-Encoding: chunked\r\n"
            }
        }
        if response.headers["Connection"] == nil { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
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
