import CMicroHTTPD
import Glibc
import StorageModel

extension HTTPEngine {
    /// Bytes that are asked of a source at once.
    static let blockSize = 128 << 10

    /// Gives the answer to libmicrohttpd, or writes it ourselves where libmicrohttpd cannot.
    func queueAnswer(_ exchange: HTTPExchange, _ link: Link) -> MHD_Result {
        guard let response = exchange.response,
            let made = ParserAnswer.isAble(exchange) ? makeAnswer(exchange, link) : nil
        else {
            answerAside(exchange, link)
            goOnLater(exchange)
            return link.isAnsweredByUs ? stay(link) : .NO
        }
        defer { MHD_destroy_response(made) }
        return MHD_queue_response(link.handle, UInt32(response.status), made)
    }

    /// The answer goes out although the request is not whole. The rest of that is read and thrown away.
    func answerEarly(_ exchange: HTTPExchange) {
        if case .parser(let link) = exchange.carrier, exchange.canReadOn {
            return answerAside(exchange, link)
        }
        guard let descriptor = take(exchange) else { return }
        add(OwnAnswer(descriptor, exchange, self))
    }

    func add(_ answer: OwnAnswer) {
        answer.exchange.carrier = .ownAnswer(answer)
        ownAnswers[ObjectIdentifier(answer)] = answer
    }

    private func makeAnswer(_ exchange: HTTPExchange, _ link: Link) -> OpaquePointer? {
        guard let response = exchange.response else { return nil }
        let isWhole = exchange.responseStops.isEmpty && !response.isChunked
        let isSmall = response.body.count <= Self.pieceSize
        let made: OpaquePointer?
        if let source = response.body as? ByteArraySource, isWhole, isSmall || !usesDoor {
            made = ParserAnswer.make(of: source.bytes)
        } else if isWhole, isSmall, !usesDoor {
            made = ParserAnswer.make(copying: response.body)
        } else {
            made = AnswerReader(self, exchange, link, response.body, isChunked: response.isChunked)
                .makeResponse()
        }
        guard let made else { return nil }
        if ParserAnswer.addFields(of: response, to: made, closes: exchange.closesConnection) {
            return made
        }
        MHD_destroy_response(made)
        return nil
    }
}

/// libmicrohttpd's responses.
enum ParserAnswer {
    /// Smaller bodies are copied.
    private static let copiedSize = 4096

    /// Bytes of fields that surely fit into the memory that libmicrohttpd has for a connection, with
    /// the request's head beside them. Where they do not it closes the connection without an answer.
    private static let largestHead = 8 << 10

    private static func headSize(of response: HTTPResponse) -> Int {
        response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    /// False for what libmicrohttpd would not write as it is meant.
    static func isAble(_ exchange: HTTPExchange) -> Bool {
        guard let response = exchange.response, exchange.isFormUsual else { return false }
        guard (200...999).contains(response.status) else { return false }
        guard headSize(of: response) <= largestHead else { return false }
        if let reason = response.reason, reason != usualReason(response.status) { return false }
        if response.headers["Transfer-Encoding"] != nil { return false }
        let lengths = response.headers.values(of: "Content-Length")
        return lengths.allSatisfy { $0 == String(response.body.count) } && lengths.count < 2
            && (lengths.isEmpty || !response.isChunked)
    }

    static func usualReason(_ status: Int) -> String {
        guard let text = MHD_get_reason_phrase_for(UInt32(max(0, status))) else { return "Unknown" }
        return String(cString: text)
    }

    static func make(of bytes: [UInt8]) -> OpaquePointer? {
        guard bytes.count > copiedSize else {
            return bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawBufferPointer(mutating: $0).baseAddress,
                    .RESPMEM_MUST_COPY)
            }
        }
        // The box holds the array, and nobody changes it, so that its storage stays in place until
        // libmicrohttpd gives the box back.
        let box = ByteBox(bytes)
        let context = Unmanaged.passRetained(box).toOpaque()
        return box.bytes.withUnsafeBytes {
            MHD_create_response_from_buffer_with_free_callback_cls(
                $0.count, UnsafeMutableRawBufferPointer(mutating: $0).baseAddress,
                { context in
                    if let context { Unmanaged<ByteBox>.fromOpaque(context).release() }
                }, context)
        }
    }

    /// Nil where the body does not give its bytes.
    static func make(copying body: any ByteSource) -> OpaquePointer? {
        let size = Int(body.count)
        guard size > 0 else { return make(of: []) }
        guard let bytes = malloc(size) else { return nil }
        let room = UnsafeMutableRawBufferPointer(start: bytes, count: size)
        var filled = 0
        while filled < size {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let copied = body.copy(from: Int64(filled), into: rest)
            guard copied > 0 else { break }
            filled += copied
        }
        guard filled == size,
            let made = MHD_create_response_from_buffer(size, bytes, .RESPMEM_MUST_FREE)
        else {
            free(bytes)
            return nil
        }
        return made
    }

    /// False when libmicrohttpd refuses a field.
    static func addFields(of response: HTTPResponse, to made: OpaquePointer, closes: Bool) -> Bool {
        for field in response.headers.fields {
            // It writes the length by itself, and keeps connections without being told.
            if HTTPHeaders.same(field.name, "Content-Length") { continue }
            if HTTPHeaders.same(field.name, "Connection"),
                HTTPHeaders.same(field.value, "keep-alive")
            {
                continue
            }
            guard MHD_add_response_header(made, field.name, field.value) == .YES else {
                return false
            }
        }
        return !closes || response.headers["Connection"]?.lowercased() == "close"
            || MHD_add_response_header(made, "Connection", "close") == .YES
    }
}

private final class ByteBox {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}
