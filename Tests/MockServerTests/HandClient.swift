import Testing
import WireProbe

/// The protocol by hand, over a raw socket.
extension WireProbe {
    static let objects = "/v0/b/demo.appspot.com/o"

    static func object(_ path: String) -> String {
        objects + "/" + path.split(separator: "/").joined(separator: "%2F")
    }

    /// Sends a request with a body and reads its answer.
    @discardableResult
    func exchange(
        _ method: String, _ target: String, fields: [String] = [], body: [UInt8] = []
    ) throws(WireError) -> WireAnswer {
        try begin(method, target, fields: fields, length: body.count)
        try send(body)
        return try readAnswer(to: method)
    }

    /// Sends a head that announces a body.
    func begin(
        _ method: String, _ target: String, fields: [String] = [], length: Int
    ) throws(WireError) {
        try ask(target, method: method, fields: ["Content-Length: \(length)"] + fields)
    }

    func get(_ path: String, range: String? = nil) throws(WireError) -> WireAnswer {
        try ask(
            Self.object(path) + "?alt=media", fields: range.map { ["Range: \($0)"] } ?? [])
        return try readAnswer()
    }

    // MARK: Resumable uploads

    /// Starts an upload session; its target.
    func startUpload(_ path: String, size: Int? = nil, fields: [String] = []) throws -> String {
        let announced = size.map { ["X-Goog-Upload-Header-Content-Length: \($0)"] } ?? []
        let name = path.split(separator: "/").joined(separator: "%2F")
        let answer = try exchange(
            "POST", "\(Self.objects)?name=\(name)",
            fields: ["X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start"]
                + announced + fields)
        try #require(answer.status == 200, "\(answer.head.text)\(answer.text)")
        let url = try #require(answer.head["X-Goog-Upload-URL"])
        let place = try #require(url.range(of: "/v0/"))
        return String(url[place.lowerBound...])
    }

    static func command(_ command: String, offset: Int? = nil) -> [String] {
        ["X-Goog-Upload-Command: \(command)"]
            + (offset.map { ["X-Goog-Upload-Offset: \($0)"] } ?? [])
    }

    @discardableResult
    func chunk(
        _ target: String, offset: Int, _ bytes: [UInt8], last: Bool = false
    ) throws(WireError) -> WireAnswer {
        try exchange(
            "POST", target,
            fields: Self.command(last ? "upload, finalize" : "upload", offset: offset),
            body: bytes)
    }

    /// Sends the head of a chunk and some of its bytes.
    func beginChunk(
        _ target: String, offset: Int, length: Int, sending bytes: [UInt8], last: Bool = false
    ) throws(WireError) {
        try begin(
            "POST", target,
            fields: Self.command(last ? "upload, finalize" : "upload", offset: offset),
            length: length)
        try send(bytes)
    }

    func query(_ target: String) throws(WireError) -> WireAnswer {
        try exchange("POST", target, fields: Self.command("query"))
    }

    func cancel(_ target: String) throws(WireError) -> WireAnswer {
        try exchange("POST", target, fields: Self.command("cancel"))
    }

    /// The received size that a query is told.
    func receivedSize(_ target: String) throws -> Int {
        let answer = try query(target)
        return try #require(answer.head["X-Goog-Upload-Size-Received"].flatMap { Int($0) })
    }
}

extension StringProtocol {
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}

extension WireAnswer {
    var uploadStatus: String? { head["X-Goog-Upload-Status"] }
}
