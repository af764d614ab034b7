/// A text and what is to become of each of its lines.
///
/// Bytes that nobody touches stay as they are: line ends, white space, comments.
package struct LineScript: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case kept([UInt8])
        case removed([UInt8])
        case added([UInt8])
    }

    /// The lines with their ends.
    let lines: [[UInt8]]
    private var replacements: [Int: [[UInt8]]] = [:]
    private var insertions: [Int: [[UInt8]]] = [:]

    init(_ bytes: [UInt8]) {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for byte in bytes {
            line.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            lines.append(line)
            line = []
        }
        if !line.isEmpty { lines.append(line) }
        self.lines = lines
    }

    /// `\r\n` where the first line ends so.
    var lineEnd: [UInt8] {
        lines.first?.suffix(2) == [0x0D, 0x0A] ? [0x0D, 0x0A] : [0x0A]
    }

    /// The text of a line without its end; invalid UTF-8 is repaired.
    func text(_ index: Int) -> String {
        String(decoding: lines[index].filter { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }

    /// Puts other lines where one stood; none: it is removed.
    mutating func replace(_ index: Int, with texts: [String] = []) {
        replacements[index] = texts.map { Array($0.utf8) + lineEnd }
    }

    /// Puts lines behind a line; behind -1 they are the first.
    mutating func insert(_ texts: [String], after index: Int) {
        let last = lines.count - 1
        if index == last, index >= 0, lines[last].last != UInt8(ascii: "\n"),
            replacements[last] == nil
        {
            replacements[last] = [lines[last] + lineEnd]
        }
        insertions[index, default: []] += texts.map { Array($0.utf8) + lineEnd }
    }

    package var steps: [Step] {
        var steps: [Step] = (insertions[-1] ?? []).map(Step.added)
        for (index, line) in lines.enumerated() {
            if let others = replacements[index], others != [line] {
                steps.append(.removed(line))
                steps += others.map(Step.added)
            } else {
                steps.append(.kept(line))
            }
            steps += (insertions[index] ?? []).map(Step.added)
        }
        return steps
    }

    /// The text as it will be.
    package var result: [UInt8] {
        steps.flatMap { step -> [UInt8] in
            switch step {
            case .kept(let line), .added(let line): line
            case .removed: []
            }
        }
    }
}
