import StorageModel

/// The lists of a client's file, read by themselves: whatever else the file says is left to others.
package struct KnownListsFile: Sendable {
    package let lists: KnownLists
    /// In the order of the file.
    package let diagnostics: [Diagnostic]
    let bytes: [UInt8]
    let layout: KnownListsLayout

    /// Whether nothing is wrong with the lists.
    package var isValid: Bool { !diagnostics.contains { $0.severity == .error } }

    /// Reads the bytes of a client's file.
    package static func read(_ bytes: [UInt8], file: String) -> KnownListsFile {
        let reading = YAMLDocument.read(bytes, file: file)
        guard let document = reading.document else {
            let nothing = YAMLNode(.mapping([]), SourcePlace(file: file, line: 1, column: 1))
            return KnownListsFile(
                lists: KnownLists(), diagnostics: reading.diagnostics, bytes: bytes,
                layout: KnownListsLayout(nothing))
        }
        let log = DiagnosticLog(document.source)
        for diagnostic in reading.diagnostics { log.add(diagnostic) }
        let decoder = ScenarioDecoder(log: log, folder: ScenarioPath.folder(of: file))
        let root = document.root
        if root.mapping == nil {
            decoder.error("a client's file is a mapping, not \(root.kindName)", at: root.place)
        }
        let lists = decoder.knownLists(
            failing: root["known-failing"], flaky: root["known-flaky"],
            flakyLimit: root["flaky-limit"])
        return KnownListsFile(
            lists: lists, diagnostics: log.diagnostics.sorted(), bytes: bytes,
            layout: KnownListsLayout(root))
    }
}
