/// The `Range` header of a download. Source: RFC 9110 section 14.
package enum RangeHeader: Hashable, Sendable {
    /// `bytes=a-b` or `bytes=a-`; both ends included.
    case from(Int64, through: Int64?)
    /// `bytes=-n`: the last n bytes.
    case last(Int64)

    /// Nil for another unit, several ranges or a malformed text: such a header is ignored.
    package init?(_ text: String) {
        let trimmed = text.filter { $0 != " " }
        guard trimmed.lowercased().hasPrefix("bytes=") else { return nil }
        let parts = trimmed.dropFirst(6).split(
            separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (first, second) = (Self.number(parts[0]), Self.number(parts[1]))
        switch (first, second) {
        case (.some(let start), .some(let end)) where end >= start:
            self = .from(start, through: end)
        case (.some(let start), nil) where parts[1].isEmpty: self = .from(start, through: nil)
        case (nil, .some(let count)) where parts[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// The bytes meant of a content of a size; nil where there are none (416).
    package func bytes(of size: Int64) -> Range<Int64>? {
        switch self {
        case .from(let start, let end):
            guard start < size else { return nil }
            return start..<min(size, end.map { $0 < .max ? $0 + 1 : $0 } ?? size)
        case .last(let count):
            guard count > 0, size > 0 else { return nil }
            return max(0, size - count)..<size
        }
    }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        // A number beyond what fits means "to the end".
        return Int64(text) ?? .max
    }
}
