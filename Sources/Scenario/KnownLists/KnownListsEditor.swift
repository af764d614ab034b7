import StorageModel

/// Changes the text of a client's file line by line.
struct KnownListsEditor {
    private(set) var script: LineScript
    private let layout: KnownListsLayout

    /// The lines of one entry.
    private struct Extent {
        /// From 0.
        var lines: Range<Int>
        /// Blanks before the `-`.
        var indentation: Int
    }

    init(_ bytes: [UInt8], _ layout: KnownListsLayout) {
        script = LineScript(bytes)
        self.layout = layout
    }

    mutating func apply(
        _ edit: KnownListsEdit, to list: KnownListsEdit.List
    ) throws(Diagnostic) {
        let deleted = edit.deletions.filter { $0.list == list }.map(\.index)
        let narrowed = edit.narrowings.filter { $0.key.list == list }
        let added = edit.additions.filter { $0.list == list }
        let counted = edit.counts.filter { $0.key.list == list }
        guard !deleted.isEmpty || !narrowed.isEmpty || !counted.isEmpty || !added.isEmpty else {
            return
        }
        let entries = layout[list.rawValue]?.entries ?? []
        if entries.isEmpty { return try open(list, added) }
        let extents = try extents(of: entries)
        for index in deleted { for line in extents[index].lines { script.replace(line) } }
        for (position, parts) in narrowed {
            try narrow(entries[position.index], extents[position.index], to: parts)
        }
        for (position, number) in counted { try count(entries[position.index], number) }
        guard let last = extents.last else { return }
        script.insert(
            added.flatMap { $0.lines(indentation: last.indentation) },
            after: last.lines.upperBound - 1)
        if added.isEmpty, deleted.count == entries.count { try empty(list) }
    }

    // MARK: The key's line

    /// Adds entries to a list that has none.
    private mutating func open(
        _ list: KnownListsEdit.List, _ added: [KnownListsEdit.Addition]
    ) throws(Diagnostic) {
        let lines = added.flatMap { $0.lines(indentation: 2) }
        guard let place = layout[list.rawValue]?.key else {
            let last = script.lines.count - 1
            let isBlank = last < 0 || script.text(last).allSatisfy(\.isWhitespace)
            return script.insert(
                (isBlank ? [] : [""]) + ["\(list.rawValue):"] + lines, after: last)
        }
        let (before, after) = try key(list, place)
        let rest = after.drop { $0 == " " }
        if rest.hasPrefix("[") {
            guard let match = rest.prefixMatch(of: /\[\s*\]/) else { throw .uneditable(place) }
            script.replace(place.line - 1, with: [before + rest[match.range.upperBound...]])
        }
        script.insert(lines, after: place.line - 1)
    }

    /// Says that a list is empty.
    private mutating func empty(_ list: KnownListsEdit.List) throws(Diagnostic) {
        guard let place = layout[list.rawValue]?.key else { return }
        let (before, after) = try key(list, place)
        script.replace(place.line - 1, with: ["\(before) []\(after)"])
    }

    /// The line of a key, up to its colon and behind it.
    private func key(
        _ list: KnownListsEdit.List, _ place: SourcePlace
    ) throws(Diagnostic) -> (String, Substring) {
        let line = try line(place)
        let key = "\(list.rawValue):"
        guard place.column == 1, line.hasPrefix(key) else { throw .uneditable(place) }
        return (key, line.dropFirst(key.count))
    }

    // MARK: Entries

    private func extents(of entries: [YAMLNode]) throws(Diagnostic) -> [Extent] {
        var extents: [Extent] = []
        for (index, entry) in entries.enumerated() {
            let line = try line(entry.place)
            let before = line.unicodeScalars.prefix(entry.place.column - 1)
            let indentation = before.prefix { $0 == " " }.count
            let dash = before.dropFirst(indentation)
            guard dash.first == "-", dash.count > 1, dash.dropFirst().allSatisfy({ $0 == " " })
            else { throw .uneditable(entry.place) }
            let start = entry.place.line - 1
            let next = index + 1 < entries.count ? entries[index + 1].place.line - 1 : nil
            guard next ?? .max > start else { throw .uneditable(entry.place) }
            extents.append(
                Extent(
                    lines: start..<end(from: start, next, indentation), indentation: indentation))
        }
        return extents
    }

    /// Where an entry ends: before the next, or before the first line that is not indented like a
    /// part of it; blank lines and comments of the list behind it are not its own.
    private func end(from start: Int, _ next: Int?, _ indentation: Int) -> Int {
        var end = start + 1
        let limit = min(next ?? script.lines.count, script.lines.count)
        for line in end..<max(end, limit) {
            let text = script.text(line)
            let content = text.drop { $0 == " " }
            let isIndented = text.count - content.count > indentation
            if content.allSatisfy(\.isWhitespace) { continue }
            if isIndented {
                end = line + 1
            } else if !content.hasPrefix("#") {
                break
            }
        }
        return end
    }

    /// Puts one copy of an entry for each pattern where it stood.
    private mutating func narrow(
        _ entry: YAMLNode, _ extent: Extent, to parts: [KnownListsEdit.Part]
    ) throws(Diagnostic) {
        var copies: [String] = []
        for (number, part) in parts.enumerated() {
            let changed = try KnownEntryText(entry, script).lines(saying: part)
            for index in extent.lines {
                let text = script.text(index)
                if let texts = changed[index] {
                    copies += texts
                } else if number == 0 || !text.drop(while: { $0 == " " }).hasPrefix("#") {
                    copies.append(text)
                }
            }
        }
        for index in extent.lines { script.replace(index) }
        script.replace(extent.lines.lowerBound, with: copies)
    }

    /// Writes how many scenarios an entry stands for, over what it says or behind its pattern.
    private mutating func count(_ entry: YAMLNode, _ count: Int) throws(Diagnostic) {
        guard let pattern = entry["scenario"]?.scalar else { throw .uneditable(entry.place) }
        let part = KnownListsEdit.Part(pattern, count: count)
        for (line, texts) in try KnownEntryText(entry, script).lines(saying: part) {
            script.replace(line, with: texts)
        }
    }

    private func line(_ place: SourcePlace) throws(Diagnostic) -> String {
        guard script.lines.indices.contains(place.line - 1) else { throw .uneditable(place) }
        return script.text(place.line - 1)
    }
}

extension KnownListsEdit.Addition {
    /// The entry's lines, with blanks that the decoder refuses.
    func lines(indentation: Int) -> [String] {
        let blanks = String(repeating: " ", count: indentation)
        var lines = ["- scenario: \(YAMLText.scalar(pattern))"]
        if !comment.isEmpty { lines.append("  # \(YAMLText.comment(comment))") }
        if let only = failure.first {
            let texts = failure.map(YAMLText.quoted).joined(separator: ", ")
            lines.append(
                "  failure: " + (failure.count == 1 ? YAMLText.quoted(only) : "[\(texts)]"))
        }
        if let count { lines.append("  count: \(count)") }
        lines += ["  reason: \"\"", "  link: \"\""]
        if list == .flaky { lines.append("  expires: \"\"") }
        return lines.map { blanks + $0 }
    }
}
