/// Comments of a file that is written: lines above its parts.
package struct YAMLComments: Sendable {
    /// By the keys, and the positions from 0, that lead to the part; none for the top of the file.
    private var lines: [[String]: [String]] = [:]

    package init() {}

    /// Puts a line above a part, below those that are there.
    package mutating func add(_ line: String, above path: [String]) {
        lines[path, default: []].append(line)
    }

    func lines(_ path: [String]) -> [String] { lines[path] ?? [] }

    /// True where something inside of a part has a comment, so that it takes lines of its own.
    func hasSome(below path: [String]) -> Bool {
        lines.keys.contains { $0.count > path.count && $0.starts(with: path) }
    }
}
