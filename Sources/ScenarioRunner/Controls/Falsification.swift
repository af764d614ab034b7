import EventMatching
import RunModel
import Scenario

/// One lie about what was seen, and who has to see through it.
struct Falsification {
    let kind: Control.Kind
    /// What is changed, in words without a full stop.
    let what: String
    let noticer: Noticer
    let apply: (inout RunEvidence) -> Void

    init(
        _ kind: Control.Kind, _ what: String, noticer: Noticer,
        apply: @escaping (inout RunEvidence) -> Void
    ) {
        self.kind = kind
        self.what = what
        self.noticer = noticer
        self.apply = apply
    }
}

/// The part of a judge that has to turn red.
enum Noticer: Hashable {
    /// A test of the block `expect`; the subject is a task's, an observer's, a result's or a path.
    case expectation(Failure.Kind, subject: String?)
    case invariant(Invariant, task: String?)

    /// True when it is among what turned red.
    func isIn(_ failures: [Failure]) -> Bool {
        failures.contains { failure in
            switch self {
            case .expectation(let kind, let subject):
                failure.kind == kind && failure.subject == subject
            case .invariant(let invariant, let task):
                failure.invariant == invariant && failure.subject == task
            }
        }
    }

    var text: String {
        switch self {
        case .expectation(let kind, let subject):
            "what the scenario expects as '\(kind.rawValue)'" + (subject.map { " of \($0)" } ?? "")
        case .invariant(let invariant, let task):
            "the invariant '\(invariant.rawValue)'" + (task.map { " of \($0)" } ?? "")
        }
    }
}
