/// A request target taken apart: raw path segments, decoded query items.
///
/// `%2F` inside a segment stays distinguishable from the separator. Source: RFC 3986 section 3.
package struct RequestTarget: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package let name: String
        /// Nil for a key without `=`.
        package let value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The path's segments, still escaped, without the leading empty one.
    package let segments: [String]
    /// The query in order, decoded; `+` means a space there.
    package let query: [Item]

    package init(_ raw: String) {
        var rest = Substring(raw)
        if !rest.hasPrefix("/"), let scheme = rest.range(ofASCII: "://") {
            let afterScheme = rest[scheme.upperBound...]
            rest = afterScheme.firstIndex(of: "/").map { afterScheme[$0...] } ?? "/"
        }
        if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
        let mark = rest.firstIndex(of: "?")
        let path = mark.map { rest[..<$0] } ?? rest
        segments = path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst().map(String.init)
        query = mark.map { Self.items(rest[rest.index(after: $0)...]) } ?? []
    }

    /// The first value of a query key; an empty string for a key without a value; nil without the key.
    package func first(_ name: String) -> String? {
        query.first { $0.name == name }.map { $0.value ?? "" }
    }

    private static func items(_ text: Substring) -> [Item] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                name: PercentEncoding.decode(parts[0], plusIsSpace: true),
                value: parts.count > 1
                    ? PercentEncoding.decode(parts[1], plusIsSpace: true) : nil)
        }
    }
}

extension Substring {
    /// The first place of an ASCII text.
    fileprivate func range(ofASCII text: String) -> Range<Index>? {
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
