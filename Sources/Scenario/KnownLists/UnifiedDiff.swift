/// A change of a text as `patch` and `git apply` take it.
///
/// Source: the GNU manual "Comparing and Merging Files", section "Detailed Description of Unified
/// Format".
package enum UnifiedDiff {
    private static let context = 3

    /// The whole diff; empty where nothing changes.
    ///
    /// - Parameter path: of the file, relative to where the diff is applied. It is written with `./`
    ///   before it, so that `patch -p0` finds the file and `git apply`, which drops one folder, too.
    package static func text(_ script: LineScript, path: String) -> [UInt8] {
        let steps = script.steps
        let changes = steps.indices.filter { !steps[$0].isKept }
        guard !changes.isEmpty else { return [] }
        // A tab ends a name with blanks in it.
        let name = "./\(path)" + (path.contains(" ") ? "\t" : "")
        var text = Array("--- \(name)\n+++ \(name)\n".utf8)
        var position = (old: 1, new: 1)
        var next = 0
        for hunk in hunks(changes, count: steps.count) {
            for step in steps[next..<hunk.lowerBound] { advance(&position, step) }
            text += self.text(steps[hunk], position)
            for step in steps[hunk] { advance(&position, step) }
            next = hunk.upperBound
        }
        return text
    }

    /// Ranges of steps; changes with few lines between them share one.
    private static func hunks(_ changes: [Int], count: Int) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for change in changes {
            let range = max(0, change - context)..<min(count, change + context + 1)
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }

    private static func advance(_ position: inout (old: Int, new: Int), _ step: LineScript.Step) {
        switch step {
        case .kept:
            position.old += 1
            position.new += 1
        case .removed: position.old += 1
        case .added: position.new += 1
        }
    }

    private static func text(
        _ steps: ArraySlice<LineScript.Step>, _ position: (old: Int, new: Int)
    ) -> [UInt8] {
        var body: [UInt8] = []
        var count = (old: 0, new: 0)
        for step in steps {
            advance(&count, step)
            let (mark, line): (Character, [UInt8]) =
                switch step {
                case .kept(let line): (" ", line)
                case .removed(let line): ("-", line)
                case .added(let line): ("+", line)
                }
            body += Array(mark.utf8) + line
            if line.last != UInt8(ascii: "\n") {
                body += Array("\n\\ No newline at end of file\n".utf8)
            }
        }
        let head =
            "@@ -\(range(position.old, count.old)) +\(range(position.new, count.new)) @@\n"
        return Array(head.utf8) + body
    }

    /// An empty range names the line before it.
    private static func range(_ start: Int, _ count: Int) -> String {
        count == 1 ? "\(start)" : "\(count == 0 ? start - 1 : start),\(count)"
    }
}

extension LineScript.Step {
    fileprivate var isKept: Bool { if case .kept = self { true } else { false } }
}
