import StorageModel

/// The lines of one entry in a client's file, and what becomes of them when it says another pattern
/// or another count.
struct KnownEntryText {
    private let entry: YAMLNode
    private let script: LineScript

    /// Text that takes the place of other text in a line.
    private struct Change {
        /// From 1, in scalars.
        var column: Int
        /// Scalars that go.
        var length: Int
        var text: String
    }

    init(_ entry: YAMLNode, _ script: LineScript) {
        self.entry = entry
        self.script = script
    }

    /// The lines that change, by their numbers from 0, each with the lines that take its place.
    ///
    /// - Throws: the `Diagnostic` for an entry that is not written in a form that can be changed so.
    func lines(saying part: KnownListsEdit.Part) throws(Diagnostic) -> [Int: [String]] {
        guard let value = entry["scenario"], let name = value.scalar else {
            throw .uneditable(entry.place)
        }
        let rest = try text(behind: value.place)
        let written = [name, "\"\(name)\"", "'\(name)'"].first(where: rest.hasPrefix)
        guard let written else { throw .uneditable(value.place) }
        var pattern = part.pattern == name ? written : YAMLText.scalar(part.pattern)
        var changes: [Int: [Change]] = [:]
        var lines: [Int: [String]] = [:]
        var added: String?
        switch (entry["count"], part.count) {
        case (nil, nil): break
        case (nil, let count?):
            if try text(behind: entry.place).hasPrefix("{") {
                pattern += ", count: \(count)"
            } else {
                added = String(repeating: " ", count: entry.place.column - 1) + "count: \(count)"
            }
        case (let old?, let count?):
            let length = (old.scalar ?? "").unicodeScalars.count
            changes[old.place.line, default: []].append(
                Change(column: old.place.column, length: length, text: String(count)))
        case (let old?, nil):
            if let change = try removal(of: old) {
                changes[old.place.line, default: []].append(change)
            } else {
                lines[old.place.line - 1] = []
            }
        }
        changes[value.place.line, default: []].append(
            Change(
                column: value.place.column, length: written.unicodeScalars.count, text: pattern))
        for (line, changes) in changes {
            lines[line - 1] = [Self.apply(changes, to: script.text(line - 1))]
        }
        if let added { lines[value.place.line - 1]?.append(added) }
        return lines
    }

    /// What takes a count out of its line; nil where the whole line goes.
    private func removal(of count: YAMLNode) throws(Diagnostic) -> Change? {
        guard script.lines.indices.contains(count.place.line - 1) else {
            throw .uneditable(count.place)
        }
        let line = script.text(count.place.line - 1)
        let before = String(line.unicodeScalars.prefix(count.place.column - 1))
        if before.wholeMatch(of: /\s*count:\s*/) != nil { return nil }
        guard let key = before.firstMatch(of: /\s*,\s*count:\s*$/)?.output else {
            throw .uneditable(count.place)
        }
        let length = key.unicodeScalars.count
        return Change(
            column: count.place.column - length,
            length: length + (count.scalar ?? "").unicodeScalars.count, text: "")
    }

    private func text(behind place: SourcePlace) throws(Diagnostic) -> String {
        guard script.lines.indices.contains(place.line - 1) else { throw .uneditable(place) }
        return String(script.text(place.line - 1).unicodeScalars.dropFirst(place.column - 1))
    }

    /// The last one first, so that the columns of the others stay true.
    private static func apply(_ changes: [Change], to line: String) -> String {
        var scalars = Array(line.unicodeScalars)
        for change in changes.sorted(by: { $0.column > $1.column }) {
            let start = change.column - 1
            scalars.replaceSubrange(
                start..<min(scalars.count, start + change.length), with: change.text.unicodeScalars)
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension Diagnostic {
    /// Of lists that are not laid out for changes line by line.
    static func uneditable(_ place: SourcePlace) -> Diagnostic {
        Diagnostic(
            place: place,
            message: "this cannot be changed line by line: write each entry below the other, with "
                + "a '-' before it")
    }
}
