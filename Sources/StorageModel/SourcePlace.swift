/// A place in a file: what a message points to.
package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// From 1.
    package let line: Int
    /// From 1, in characters.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    package var description: String { "\(file):\(line):\(column)" }
}
