package import StorageModel

/// What is unusual about an answer on the wire, beyond what an `HTTPResponse` says.
package struct AnswerForm: Hashable, Sendable {
    /// How a part of an answer is cut into pieces.
    package struct Slices: Hashable, Sendable {
        /// Bytes of a piece; 1 or more.
        package let size: Int
        /// On the scenario's clock, between two pieces.
        package let gap: Duration

        package init(size: Int, gap: Duration) {
            self.size = size
            self.gap = gap
        }
    }

    /// How the chunks of a chunked answer are wrong. Source of what is right: RFC 9112 section 7.1.
    package enum ChunkFault: Hashable, Sendable {
        /// The chunk that begins at this byte of the body says `zz` for its size; at the body's length
        /// the last chunk does. The connection is closed after the answer.
        case badSize(at: Int64)
        /// Every byte and no last chunk; the connection is closed instead.
        case noLastChunk
        /// These bytes stand behind the last chunk.
        case bytesAfterLast([UInt8])
        /// The last chunk has these fields.
        case trailer(HTTPHeaders)
    }

    /// These bytes and pauses instead of head and body: `send`, `slices` and `wait` alone.
    package var script: [WireStep]?
    /// The status line says HTTP/1.0. Such an answer is never chunked, and ends its connection unless
    /// it has a field `Connection: keep-alive`.
    package var isHTTP10 = false
    /// How often the length of the body is told; 0: not at all, so that the connection's end is the
    /// body's. Without effect on a Content-Length that the answer has itself, and on chunked ones.
    package var lengthFields = 1
    /// Nil: the head is sent at once.
    package var headSlices: Slices?
    /// Without effect on an answer that is not chunked.
    package var chunkFault: ChunkFault?
    /// Bytes that have to come before the head.
    var lead: [UInt8] = []

    package init() {}
}

extension HTTPExchange {
    /// An early answer can leave the rest of its request to libmicrohttpd: where that ends is known, and
    /// no client waits for `100 Continue`, which would come after the answer.
    var canReadOn: Bool {
        guard head.contentLength != nil, head.headers["Transfer-Encoding"] == nil,
            !isFramingUnsure
        else { return false }
        return received > 0 || head.headers["Expect"] == nil
    }

    /// False where the form of the answer is one that only we can write.
    var isFormUsual: Bool {
        guard form.script == nil, !form.isHTTP10, form.lengthFields == 1, form.lead.isEmpty else {
            return false
        }
        if form.chunkFault != nil, response?.isChunked == true { return false }
        return !slicesHead
    }

    /// The head is longer than one of the pieces in which it is to be sent.
    package var slicesHead: Bool {
        guard let slices = form.headSlices else { return false }
        return form.script != nil || OwnAnswer.head(self).count > slices.size
    }

    /// The answer goes out in chunks.
    var isAnswerChunked: Bool {
        response?.isChunked == true && head.version != "HTTP/1.0" && !form.isHTTP10
            && head.method != "HEAD" && form.script == nil
    }

    /// Whether its client can tell where an answer of ours ends, and may send another request then.
    ///
    /// Source: RFC 9112 sections 6.3 (length) and 9.3 (persistence).
    var mayKeepConnection: Bool {
        guard let response, head.version == "HTTP/1.1", !closesConnection, !isFramingUnsure,
            !head.headers.connectionSays("close")
        else { return false }
        if form.script != nil { return true }
        if response.headers.connectionSays("close") { return false }
        if form.isHTTP10, !response.headers.connectionSays("keep-alive") { return false }
        guard head.method != "HEAD", ![204, 304].contains(response.status) else { return true }
        if response.headers["Transfer-Encoding"] != nil { return false }
        if isAnswerChunked {
            switch form.chunkFault {
            case .badSize, .noLastChunk: return false
            case .bytesAfterLast, .trailer, nil: return true
            }
        }
        let lengths = response.headers.values(of: "Content-Length")
        if lengths.isEmpty { return !response.isChunked && form.lengthFields > 0 }
        // One that is too large leaves the client waiting: the end of the connection tells it.
        return lengths.allSatisfy { Int64($0).map { 0...response.body.count ~= $0 } ?? false }
    }
}

extension HTTPHeaders {
    fileprivate func connectionSays(_ word: String) -> Bool {
        values(of: "Connection").contains { value in
            value.lowercased().split(whereSeparator: { ", \t".contains($0) }).contains {
                $0 == word
            }
        }
    }
}
