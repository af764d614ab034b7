import StorageModel

/// Makes the model of one scenario from its tree, matrix values put in.
///
/// Each method reads one kind of value. A value that is wrong is reported and gives nil, and the
/// reading goes on, so that one run tells several mistakes.
final class ScenarioDecoder {
    let log: DiagnosticLog
    /// The folder of the file, for content beside it.
    let folder: String
    /// True for a text that came from elsewhere: it cannot name files of this machine.
    var refusesFiles = false
    /// Names that steps, faults and the backend give.
    var names = NameTable()
    /// Triggers that must also make sense to a server without a client.
    var serverTriggers: [PlacedTrigger] = []
    /// Steps read so far, each round of a repetition counted.
    var stepCount = 0
    /// Objects given so far, copies counted.
    var objectCount = 0

    init(log: DiagnosticLog, folder: String) {
        self.log = log
        self.folder = folder
    }

    func error(_ message: String, at place: SourcePlace, suggestion: String? = nil) {
        log.add(Diagnostic(place: place, message: message, suggestion: suggestion))
    }

    func warning(_ message: String, at place: SourcePlace) {
        log.add(Diagnostic(severity: .warning, place: place, message: message))
    }

    func notYetSupported(_ what: String, at place: SourcePlace) {
        log.add(
            Diagnostic(
                kind: .notYetSupported, place: place, message: "not yet supported: \(what)"))
    }

    /// Reports a construct that the table in `Support` says no to.
    func require(_ construct: Support.Construct, at place: SourcePlace) {
        if !Support.has(construct) { notYetSupported(construct.rawValue, at: place) }
    }

    /// Reports a word that is none of those known.
    func unknown(_ what: String, _ word: String, known: [String], at place: SourcePlace) {
        unknown("unknown \(what) '\(word)'", instead: word, of: known, at: place)
    }

    /// Reports a word that is none of those known, in a sentence that ends with it: the nearest is
    /// suggested, and where none is near and they are few, all are told.
    ///
    /// - Parameter limit: characters of all of them that may be told.
    func unknown(
        _ message: String, instead word: String, of known: [String], at place: SourcePlace,
        limit: Int = 80
    ) {
        let suggestion = word.count <= 64 ? Spelling.nearest(to: word, among: known) : nil
        let all = known.isEmpty ? "there is none" : known.joined(separator: ", ")
        let tellsAll = suggestion == nil && all.count <= limit
        error(tellsAll ? "\(message): \(all)" : message, at: place, suggestion: suggestion)
    }
}
