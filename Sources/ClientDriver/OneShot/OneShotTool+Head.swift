package import StorageModel

extension OneShotTool {
    /// Status and headers of the answer that a tool got, from what it printed of it.
    ///
    /// Of several heads the last one counts: interim answers and redirects come before it. Nil where
    /// there is no status line, or a line that is no header.
    /// Source: RFC 9112 sections 4 and 5.
    package static func head(_ output: [UInt8]) -> (status: Int, headers: HTTPHeaders)? {
        var found: (status: Int, headers: HTTPHeaders)?
        let text = String(decoding: output, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("HTTP/") {
                let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                guard let status, (100...599).contains(status) else { return nil }
                found = (status, HTTPHeaders())
                continue
            }
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            let value = line[line.index(after: colon)...]
            found?.headers.add(String(line[..<colon]), String(value.trimmingSpaces))
        }
        return found
    }
}
