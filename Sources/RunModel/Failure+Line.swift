internal import EventMatching

extension Failure {
    /// Kind, subject, sentence and invariant in one line: what a list's `failure` is looked up in.
    package var line: String {
        // Many sentences begin with their subject.
        let subject = subject.map { sentence.hasPrefix("\($0): ") ? "" : "\($0): " } ?? ""
        let invariant = invariant.map { " [\($0.rawValue)]" } ?? ""
        return "\(kind.rawValue): \(subject)\(sentence)\(invariant)"
    }

    /// What of the line is the same in every run, without times and counts: `events: up:`, `client:`,
    /// or the invariant, `[one-terminal]`.
    package var label: String {
        if let invariant { return "[\(invariant.rawValue)]" }
        return subject.map { "\(kind.rawValue): \($0):" } ?? "\(kind.rawValue):"
    }
}
