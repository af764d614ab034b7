import Glibc
import StorageModel

/// Takes a `multipart/related` upload apart as it comes: metadata first, then the object's bytes.
///
/// Lenient where clients differ: CRLF or LF, parts without headers, a closing delimiter with or
/// without a line end, text before the first and behind the last delimiter. Source: RFC 2046
/// section 5.1.
struct MultipartParser {
    enum Failure: Error, Hashable {
        /// The end came before the closing delimiter.
        case unfinished
        /// There are fewer or more than two parts.
        case partCount(Int)
        case malformed(String)
    }

    private enum State {
        case preamble
        /// Behind a delimiter, before its line end.
        case delimiterLine
        case headers
        case content
        case epilogue
        case failed
    }

    private static let lineLimit = 8192
    private static let metadataLimit = 1 << 20

    private var state = State.preamble
    /// `LF -- boundary`.
    private let delimiter: [UInt8]
    /// Bytes that nothing could be said about yet.
    private var pending: [UInt8] = [UInt8(ascii: "\n")]
    /// True: a CR before a delimiter belongs to it.
    private var endsLinesWithCR = true
    /// True: the first pending byte is the line end before the content.
    private var isBeforeContent = true
    private var part = 0
    private(set) var metadata: [UInt8] = []
    /// `Content-Type` of the second part.
    private(set) var contentType: String?
    private(set) var failure: Failure?

    /// - Parameter boundary: not empty.
    init(boundary: String) { delimiter = Array("\n--\(boundary)".utf8) }

    /// True from the second part's content on: the metadata is whole.
    var hasMetadata: Bool { part >= 2 && state != .failed }

    /// Takes bytes; those of the object are handed on in order.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, content: ([UInt8]) -> Void) {
        if case .epilogue = state { return }
        if failure != nil { return }
        var work = pending
        work += bytes
        var position = 0
        while step(work, &position, content) {}
        pending = Array(work[position...])
    }

    /// Throws unless there were two parts and a closing delimiter.
    func checkEnd() throws(Failure) {
        if let failure { throw failure }
        guard case .epilogue = state else { throw .unfinished }
        guard part == 2 else { throw .partCount(part) }
    }

    /// True where something was consumed and more may follow.
    private mutating func step(
        _ work: [UInt8], _ position: inout Int, _ content: ([UInt8]) -> Void
    ) -> Bool {
        switch state {
        case .preamble, .content: return passContent(work, &position, content)
        case .delimiterLine:
            guard let line = takeLine(work, &position) else { return false }
            if part == 0 { endsLinesWithCR = line.last == UInt8(ascii: "\r") }
            part += 1
            if part > 2 { return fail(.partCount(part)) }
            state = .headers
            return true
        case .headers:
            guard let line = takeLine(work, &position) else { return false }
            return takeHeader(line, &position)
        case .epilogue, .failed:
            position = work.count
            return false
        }
    }

    private mutating func takeHeader(_ raw: [UInt8], _ position: inout Int) -> Bool {
        let line = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw[...]
        if line.isEmpty {
            // The line end may be that of a delimiter: then the part is empty.
            position -= 1
            isBeforeContent = true
            state = .content
            return true
        }
        let text = String(decoding: line, as: UTF8.self)
        if text.first == " " || text.first == "\t" { return true }
        guard let colon = text.firstIndex(of: ":") else {
            return fail(.malformed("'\(text.prefix(60))' is no header of a part"))
        }
        if part == 2, text[..<colon].lowercased() == "content-type" {
            contentType = String(text[text.index(after: colon)...].drop { $0 == " " })
        }
        return true
    }

    private mutating func passContent(
        _ work: [UInt8], _ position: inout Int, _ content: ([UInt8]) -> Void
    ) -> Bool {
        var search = position
        while let found = Self.find(delimiter, in: work, from: search) {
            let behind = found + delimiter.count
            guard behind + 1 < work.count else {
                hand(work, &position, upTo: found, content)
                return false
            }
            let next = (work[behind], work[behind + 1])
            let isClosing = next == (UInt8(ascii: "-"), UInt8(ascii: "-"))
            if isClosing || [0x20, 0x09, 0x0A, 0x0D].contains(next.0) {
                hand(work, &position, upTo: found, content)
                position = isClosing ? behind + 2 : behind
                state = isClosing ? .epilogue : .delimiterLine
                return failure == nil
            }
            search = found + 1
        }
        hand(work, &position, upTo: max(position, work.count - delimiter.count + 1), content)
        return false
    }

    /// Hands content on up to where a delimiter may begin, without the line end before it.
    private mutating func hand(
        _ work: [UInt8], _ position: inout Int, upTo end: Int, _ content: ([UInt8]) -> Void
    ) {
        var end = end
        let mayHoldCR = endsLinesWithCR || state == .preamble
        if end > position, mayHoldCR, work[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        guard end > position else { return }
        let first = isBeforeContent ? position + 1 : position
        isBeforeContent = false
        position = end
        guard case .content = state, first < end else { return }
        if part == 2 {
            content(Array(work[first..<end]))
        } else {
            metadata += work[first..<end]
            if metadata.count > Self.metadataLimit {
                _ = fail(.malformed("the first part is longer than \(Self.metadataLimit) bytes"))
            }
        }
    }

    /// A line without its LF; nil while it has not come whole.
    private mutating func takeLine(_ work: [UInt8], _ position: inout Int) -> [UInt8]? {
        guard let end = work[position...].firstIndex(of: UInt8(ascii: "\n")) else {
            if work.count - position > Self.lineLimit {
                _ = fail(.malformed("a line is longer than \(Self.lineLimit) bytes"))
            }
            return nil
        }
        defer { position = end + 1 }
        return Array(work[position..<end])
    }

    private mutating func fail(_ failure: Failure) -> Bool {
        self.failure = failure
        state = .failed
        return false
    }

    private static func find(_ wanted: [UInt8], in all: [UInt8], from start: Int) -> Int? {
        all.withUnsafeBytes { whole in
            wanted.withUnsafeBytes { part in
                guard let base = whole.baseAddress, let needle = part.baseAddress else {
                    return nil
                }
                var index = start
                while index + part.count <= whole.count {
                    let room = whole.count - part.count - index + 1
                    guard let hit = memchr(base + index, CInt(part[0]), room) else { return nil }
                    if memcmp(hit, needle, part.count) == 0 { return UnsafeRawPointer(hit) - base }
                    index = UnsafeRawPointer(hit) - base + 1
                }
                return nil
            }
        }
    }
}

extension MultipartParser {
    /// The boundary of a `Content-Type: multipart/related; boundary=...`; nil for another type,
    /// or where there is none. It may be bare, in double or in single quotes.
    static func boundary(of contentType: String?) -> String? {
        guard let contentType else { return nil }
        let parts = contentType.split(separator: ";").map { $0.trimmingSpaces }
        guard let type = parts.first, type.lowercased() == "multipart/related" else { return nil }
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingSpaces.lowercased() == "boundary" else {
                continue
            }
            let value = pair[1].trimmingSpaces
            for quote in ["\"", "'"]
            where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
                return value.count > 2 ? String(value.dropFirst().dropLast()) : nil
            }
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }
}
