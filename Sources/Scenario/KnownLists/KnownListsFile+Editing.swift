import StorageModel

extension KnownListsFile {
    /// The file's text with a change of its lists; comments and order stay.
    ///
    /// What comes out is read again and must say what was meant, nothing else.
    ///
    /// - Throws: the `Diagnostic` for a list that is not laid out as one entry after the other, each
    ///   with a `-` on a line of its own.
    package func script(_ edit: KnownListsEdit) throws(Diagnostic) -> LineScript {
        var editor = KnownListsEditor(bytes, layout)
        for list in KnownListsEdit.List.allCases { try editor.apply(edit, to: list) }
        let check = KnownListsCheck(old: layout, edit: edit)
        if let problem = check.problem(in: editor.script.result, file: layout.file) {
            throw Diagnostic(
                place: SourcePlace(file: layout.file, line: 1, column: 1),
                message: "the lists cannot be changed line by line: \(problem); write each entry "
                    + "below the other, with a '-' before it")
        }
        return editor.script
    }
}

/// Reads a changed file again and compares it with what was meant.
struct KnownListsCheck {
    let old: KnownListsLayout
    let edit: KnownListsEdit

    /// What is not as it should be; nil where all is.
    func problem(in bytes: [UInt8], file: String) -> String? {
        guard let document = YAMLDocument.read(bytes, file: file).document else {
            return "the result cannot be read"
        }
        let new = KnownListsLayout(document.root)
        for key in Set(old.keys + new.keys).subtracting(
            KnownListsEdit.List.allCases.map(\.rawValue))
        {
            guard let before = old[key]?.value, let after = new[key]?.value,
                before.isEqual(to: after)
            else { return "'\(key)' would change" }
        }
        return KnownListsEdit.List.allCases.first { !isAsMeant($0, new) }
            .map { "'\($0.rawValue)' would not say what was meant" }
    }

    private func isAsMeant(_ list: KnownListsEdit.List, _ new: KnownListsLayout) -> Bool {
        var wanted: [Wanted] = []
        for (index, node) in (old[list.rawValue]?.entries ?? []).enumerated() {
            let position = KnownListsEdit.Position(list, index)
            if edit.deletions.contains(position) { continue }
            let name = node["scenario"]?.scalar ?? ""
            let count = edit.counts[position].map { [KnownListsEdit.Part(name, count: $0)] }
            let parts = edit.narrowings[position] ?? count
            wanted += parts?.map { Wanted(entry: node, part: $0) } ?? [Wanted(entry: node)]
        }
        wanted += edit.additions.filter { $0.list == list }.map {
            Wanted(part: KnownListsEdit.Part($0.pattern, count: $0.count))
        }
        let found = new[list.rawValue]?.entries ?? []
        return found.count == wanted.count
            && zip(found, wanted).allSatisfy { $1.isSaid(by: $0) }
    }

    /// What an entry of the changed file has to say.
    private struct Wanted {
        /// The entry that it was; nil: it is new.
        var entry: YAMLNode?
        /// Its pattern and count; nil: those of the entry.
        var part: KnownListsEdit.Part?

        func isSaid(by node: YAMLNode) -> Bool {
            guard let part else { return entry.map(node.isEqual) ?? false }
            guard node["scenario"]?.scalar == part.pattern,
                node["count"]?.scalar == part.count.map(String.init)
            else { return false }
            let rest = entry?.without("scenario", "count")
            return rest.map(node.without("scenario", "count").isEqual) ?? true
        }
    }
}

extension YAMLNode {
    fileprivate func without(_ keys: String...) -> YAMLNode {
        YAMLNode(.mapping((mapping ?? []).filter { !keys.contains($0.key.scalar ?? "") }), place)
    }
}
