import StorageModel

/// Collects what is wrong with one file; the same message at the same place counts once.
final class DiagnosticLog {
    /// Messages of one kind kept; more help nobody.
    private static let limit = 100
    /// Characters kept of one message.
    private static let lengthLimit = 400

    private let source: SourceText
    private var seen: Set<Diagnostic> = []
    private(set) var diagnostics: [Diagnostic] = []

    init(_ source: SourceText) { self.source = source }

    /// An empty log for the same file.
    func child() -> DiagnosticLog { DiagnosticLog(source) }

    var hasErrors: Bool {
        diagnostics.contains { $0.severity == .error && $0.kind == .invalid }
    }

    /// Places whose matrix value is not known: what else is wrong there follows from that.
    private var unresolved: Set<SourcePlace> = []

    /// Adds what is wrong with a matrix value.
    func addUnresolved(_ diagnostic: Diagnostic, in value: SourcePlace) {
        add(diagnostic)
        unresolved.insert(value)
    }

    func add(_ diagnostic: Diagnostic) {
        guard !unresolved.contains(diagnostic.place) else { return }
        var diagnostic = diagnostic
        diagnostic.sourceLine = source.line(diagnostic.place.line)
        diagnostic.message = Self.printable(diagnostic.message)
        diagnostic.suggestion = diagnostic.suggestion.map(Self.printable)
        if diagnostic.message.count > Self.lengthLimit {
            diagnostic.message = diagnostic.message.prefix(Self.lengthLimit - 3) + "..."
        }
        let alike = diagnostics.count {
            $0.kind == diagnostic.kind && $0.severity == diagnostic.severity
        }
        guard alike < Self.limit, seen.insert(diagnostic).inserted else { return }
        diagnostics.append(diagnostic)
    }

    /// Values of the file may hold what a terminal would obey.
    private static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "?"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
