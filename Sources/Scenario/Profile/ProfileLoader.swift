package import StorageModel

/// Finds profiles by name or path, and reads them with their bases.
package struct ProfileLoader: Sendable {
    /// What came of it; without a profile there is at least one error.
    package struct Reading: Sendable {
        package var profile: Profile?
        package var diagnostics: [Diagnostic]
    }

    /// More bases than this are a mistake.
    private static let depthLimit = 20

    private let folder: String

    /// - Parameter folder: of the profiles that are known by name: `NAME.yaml`.
    package init(folder: String) { self.folder = folder }

    /// Reads a profile.
    ///
    /// - Parameters:
    ///   - text: a name (`apple`), or the path of a file, which has a slash or ends in `.yaml`.
    ///   - origin: what a path is relative to; empty: the working directory.
    ///   - place: where the text is written, for the message about a profile that is not there.
    package func load(
        _ text: String, relativeTo origin: String = "", at place: SourcePlace? = nil
    ) -> Reading {
        var log: [Diagnostic] = []
        let profile = load(text, origin, place, under: [], &log)
        let isWrong = log.contains { $0.severity == .error }
        return Reading(profile: isWrong ? nil : profile, diagnostics: log.sorted())
    }

    /// Reads the text of one file; its base is looked for as `load` does.
    package func read(_ bytes: [UInt8], file: String) -> Reading {
        var log: [Diagnostic] = []
        let profile = read(bytes, file, under: [file], &log)
        let isWrong = log.contains { $0.severity == .error }
        return Reading(profile: isWrong ? nil : profile, diagnostics: log.sorted())
    }

    /// Names of the profiles in the folder, sorted.
    package var names: [String] {
        ScenarioPath.names(in: folder).filter { $0.hasSuffix(".yaml") }
            .map { String($0.dropLast(5)) }.sorted()
    }

    // MARK: Private parts

    private func load(
        _ text: String, _ origin: String, _ place: SourcePlace?, under files: [String],
        _ log: inout [Diagnostic]
    ) -> Profile? {
        guard let file = find(text, origin, place, &log) else {
            return text == Profile.documentedName && log.isEmpty ? .documented : nil
        }
        if files.contains(file) || files.count >= Self.depthLimit {
            let chain = (files + [file]).map(Self.shortName).joined(separator: " -> ")
            let message =
                files.contains(file)
                ? "a profile cannot be its own base: \(chain)"
                : "the profile has more than \(Self.depthLimit) bases: \(chain)"
            log.append(diagnostic(message, place ?? Self.start(of: file)))
            return nil
        }
        switch ScenarioPath(file: file, id: "", row: nil).bytes() {
        case .failure(let diagnostic):
            log.append(diagnostic)
            return nil
        case .success(let bytes): return read(bytes, file, under: files + [file], &log)
        }
    }

    /// The file that is meant; nil, and a message, where there is none.
    private func find(
        _ text: String, _ origin: String, _ place: SourcePlace?, _ log: inout [Diagnostic]
    ) -> String? {
        let isPath = text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
        guard !isPath else {
            let isAbsolute = text.hasPrefix("/") || origin.isEmpty || origin == "."
            return isAbsolute ? text : (origin.hasSuffix("/") ? origin : origin + "/") + text
        }
        let file = folder + "/" + text + ".yaml"
        if ScenarioPath.isFile(file) { return file }
        // Without a folder the one that is built in is still there.
        if text == Profile.documentedName { return nil }
        let known = names.isEmpty ? [Profile.documentedName] : names
        let all = known.joined(separator: ", ")
        var message = "unknown profile '\(text)': \(all), or the path of a file"
        let suggestion = Spelling.nearest(to: text, among: known)
        if suggestion != nil { message = "unknown profile '\(text)'" }
        log.append(
            diagnostic(
                message, place ?? SourcePlace(file: "--profile", line: 1, column: 1), suggestion))
        return nil
    }

    private func read(
        _ bytes: [UInt8], _ file: String, under files: [String], _ diagnostics: inout [Diagnostic]
    ) -> Profile? {
        let reading = YAMLDocument.read(bytes, file: file)
        guard let document = reading.document else {
            diagnostics += reading.diagnostics
            return nil
        }
        let log = DiagnosticLog(document.source)
        for diagnostic in reading.diagnostics { log.add(diagnostic) }
        let decoder = ScenarioDecoder(log: log, folder: ScenarioPath.folder(of: file))
        let profile = decoder.profileFile(document.root, file: file) { text, place in
            var inner: [Diagnostic] = []
            let base = load(text, decoder.folder, place, under: files, &inner)
            for diagnostic in inner where diagnostic.place.file != file {
                diagnostics.append(diagnostic)
            }
            for diagnostic in inner where diagnostic.place.file == file { log.add(diagnostic) }
            return base
        }
        diagnostics += log.diagnostics
        return profile
    }

    private func diagnostic(
        _ message: String, _ place: SourcePlace, _ suggestion: String? = nil
    ) -> Diagnostic {
        Diagnostic(
            place: place, message: message, suggestion: suggestion,
            sourceLine: place.file == "--profile" ? nil : ScenarioPath.line(of: place))
    }

    private static func start(of file: String) -> SourcePlace {
        SourcePlace(file: file, line: 1, column: 1)
    }

    static func shortName(_ file: String) -> String {
        let name = ScenarioPath.name(of: file)
        return name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
    }
}
