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
        var wanted: [(YAMLNode?, String)] = []
        for (index, node) in (old[list.rawValue]?.entries ?? []).enumerated() {
            let position = KnownListsEdit.Position(list, index)
            if edit.deletions.contains(position) { continue }
            let name = node["scenario"]?.scalar ?? ""
            wanted += (edit.narrowings[position] ?? [name]).map { (node, $0) }
        }
        wanted += edit.additions.filter { $0.list == list }.map { (nil, $0.pattern) }
        let found = new[list.rawValue]?.entries ?? []
        return found.count == wanted.count
            && zip(found, wanted).allSatisfy { node, wanted in
                node["scenario"]?.scalar == wanted.1
                    && (wanted.0.map { isCopy(node, of: $0) } ?? true)
            }
    }

    /// Whether it says the same of its scenario; a narrowed one counts nothing any more.
    private func isCopy(_ node: YAMLNode, of entry: YAMLNode) -> Bool {
        node["scenario"]?.scalar == entry["scenario"]?.scalar
            ? node.isEqual(to: entry)
            : node.without("scenario").isEqual(to: entry.without("scenario", "count"))
    }
}

extension YAMLNode {
    fileprivate func without(_ keys: String...) -> YAMLNode {
        YAMLNode(.mapping((mapping ?? []).filter { !keys.contains($0.key.scalar ?? "") }), place)
    }
}
