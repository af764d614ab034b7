/// `Content-Range: bytes 0-99/1000`. Source: RFC 9110 section 14.4.
struct ContentRange: Hashable, Sendable {
    let first: Int64
    /// Included.
    let last: Int64
    /// Nil where the sender does not know it.
    let total: Int64?

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0,
            last >= first
        else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let number = Int64(parts[1]), number > last else { return nil }
            total = number
        }
        self.first = first
        self.last = last
    }
}
