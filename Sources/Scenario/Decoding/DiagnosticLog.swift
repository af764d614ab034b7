import StorageModel

/// Collects what is wrong with one file; the same message at the same place counts once.
final class DiagnosticLog {
    private let source: SourceText
    private var seen: Set<Diagnostic> = []
    private(set) var diagnostics: [Diagnostic] = []

    init(_ source: SourceText) { self.source = source }

    /// An empty log for the same file.
    func child() -> DiagnosticLog { DiagnosticLog(source) }

    var hasErrors: Bool {
        diagnostics.contains { $0.severity == .error && $0.kind == .invalid }
    }

    func add(_ diagnostic: Diagnostic) {
        var diagnostic = diagnostic
        diagnostic.sourceLine = source.line(diagnostic.place.line)
        if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }
}
