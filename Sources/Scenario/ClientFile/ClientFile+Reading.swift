extension ClientFile {
    /// What came of reading a client file.
    package struct Reading: Sendable {
        /// Nil where something is wrong.
        package var file: ClientFile?
        /// In the order of their places; warnings and what is not supported yet too.
        package var diagnostics: [Diagnostic]

        /// True when the client can be run.
        package var isUsable: Bool {
            file != nil && !diagnostics.contains { $0.severity == .error }
        }
    }

    /// Reads the bytes of a file.
    package static func read(_ bytes: [UInt8], file: String) -> Reading {
        let reading = YAMLDocument.read(bytes, file: file)
        guard let document = reading.document else {
            return Reading(file: nil, diagnostics: reading.diagnostics)
        }
        let log = DiagnosticLog(document.source)
        for diagnostic in reading.diagnostics { log.add(diagnostic) }
        let decoder = ScenarioDecoder(log: log, folder: ScenarioPath.folder(of: file))
        let client = decoder.clientFile(document.root)
        return Reading(
            file: log.hasErrors ? nil : client, diagnostics: log.diagnostics.sorted())
    }

    /// Reads the file at a path; a file that is not there is a diagnostic too.
    package static func load(_ path: String) -> Reading {
        switch ScenarioPath(file: path, id: "", row: nil).bytes() {
        case .success(let bytes): read(bytes, file: path)
        case .failure(let diagnostic): Reading(file: nil, diagnostics: [diagnostic])
        }
    }
}
