/// The lines of a text, and the blocks that they make by their indentation.
struct Blocks {
    private(set) var lines: [[UInt8]]

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    var bytes: [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }

    /// A line and what is indented more than it below it.
    func block(at index: Int) -> Range<Int> {
        let depth = indentation(index)
        var end = index + 1
        while end < lines.count, !lines[end].isEmpty, indentation(end) > depth { end += 1 }
        return index..<end
    }

    func indentation(_ index: Int) -> Int { lines[index].prefix { $0 == 0x20 }.count }

    func text(_ range: Range<Int>) -> [[UInt8]] { Array(lines[range]) }

    mutating func remove(_ range: Range<Int>) { lines.removeSubrange(range) }

    mutating func insert(_ new: [[UInt8]], at index: Int) {
        lines.insert(contentsOf: new, at: min(index, lines.count))
    }

    mutating func replace(_ range: Range<Int>, with new: [[UInt8]]) {
        lines.replaceSubrange(range, with: new)
    }
}
