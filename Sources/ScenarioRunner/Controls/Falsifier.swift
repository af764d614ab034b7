import EventMatching
import RunModel
import Scenario
import StorageModel

/// Finds lies about what was seen that a right judge has to notice.
///
/// Whether it has to is a small rule for each kind, computed from what the scenario expects and from
/// the invariants; the judge is not asked.
struct Falsifier {
    let evidence: RunEvidence
    let expect: Expectation
    private let except: Set<Invariant>
    private(set) var draw: Draw

    init(_ evidence: RunEvidence, _ expect: Expectation, _ draw: Draw) {
        self.evidence = evidence
        self.expect = expect
        self.draw = draw
        except = expect.invariants?.value.invariants ?? []
    }

    /// A lie of the first kind that this evidence has, in an order drawn by chance; nil: it has none.
    ///
    /// A complaint of the server comes last, for it can be added to nearly everything and shows least.
    mutating func one() -> Falsification? {
        let kinds = Control.Kind.allCases.filter { $0 != .complaintAdded }
        for kind in draw.shuffled(kinds) + [.complaintAdded] {
            if let lie = draw.pick(lies(of: kind)) { return lie }
        }
        return nil
    }

    /// A lie of each kind that this evidence has, for each that has to notice it.
    mutating func ofEveryKind() -> [Falsification] {
        var all: [Falsification] = []
        for kind in Control.Kind.allCases {
            var noticers: Set<Noticer> = []
            all += draw.shuffled(lies(of: kind)).filter { noticers.insert($0.noticer).inserted }
        }
        return all
    }

    /// All that can be told of one subject, which is drawn; empty where no subject has any.
    private mutating func lies(of kind: Control.Kind) -> [Falsification] {
        switch kind {
        case .eventMissing: stream { $0.missing(&$1) }
        case .eventDoubled: stream { $0.doubled(&$1) }
        case .eventsSwapped: stream { $0.swapped(&$1) }
        case .endChanged: stream { $0.endChanged(&$1) }
        case .eventAfterEnd: stream { $0.afterEnd(&$1) }
        case .progressChanged: stream { $0.progressChanged(&$1) }
        case .codeChanged: first(errors) { $0.codeChanged(&$1) }
        case .errorInvented: first(errors) { $0.invented(&$1) }
        case .errorHidden: first(errors) { $0.hidden(&$1) }
        case .completionDoubled: first(evidence.book.tasks, completionDoubled)
        case .completionMissing: first(evidence.book.tasks, completionMissing)
        case .storedByteFlipped: first(storedObjects) { $0.byteFlipped(&$1) }
        case .objectMissing: first(storedObjects) { $0.missing(&$1) }
        case .objectInvented: first(storedObjects) { $0.invented(&$1) }
        case .generationAdded: first(storedObjects) { $0.generationAdded(&$1) }
        case .localByteFlipped: first(evidence.book.tasks, localByteFlipped)
        case .localFileMissing: first(evidence.book.tasks, localFileMissing)
        case .localFileLeft: first(evidence.book.tasks, localFileLeft)
        case .requestMissing:
            first(requestLogs) { $0.missing(&$1) } + first(exchangesLies) { $0.missing(&$1) }
        case .requestAdded: first(requestLogs) { $0.added(&$1) }
        case .requestDoubled:
            first(requestLogs) { $0.doubled(&$1) } + first(exchangesLies) { $0.doubled(&$1) }
        case .requestChanged:
            first(requestLogs) { $0.changed(&$1) } + first(exchangesLies) { $0.changed(&$1) }
        case .metadataChanged: first(evidence.book.tasks, metadataChanged)
        case .resultChanged: first(results, resultChanged)
        case .numberChanged: numberChanged(&draw)
        case .timeChanged: timeLies()
        case .complaintAdded: complaintAdded(&draw)
        }
    }

    private mutating func timeLies() -> [Falsification] {
        let teller = self
        return first(evidence.book.tasks) { teller.timeChanged($0, &$1) }
            + first(results) { teller.timeChanged($0, &$1) }
            + first(exchangesLies) { $0.moved(&$1) }
    }

    /// Those of the first subject, in an order drawn by chance, that has any.
    private mutating func first<Subject>(
        _ subjects: [Subject], _ lies: (Subject, inout Draw) -> [Falsification]
    ) -> [Falsification] {
        for subject in draw.shuffled(subjects) {
            let found = lies(subject, &draw)
            if !found.isEmpty { return found }
        }
        return []
    }

    private mutating func stream(
        _ lies: (EventStream, inout Draw) -> [Falsification]
    ) -> [Falsification] {
        first(streams, lies)
    }

    // MARK: What lies can be about

    /// An invariant that is in force, as the one to notice a lie about a task.
    func invariant(_ invariant: Invariant, _ task: TaskRecord) -> [Noticer] {
        except.contains(invariant) ? [] : [.invariant(invariant, task: task.name)]
    }

    func expectation(of task: TaskRecord) -> TaskExpectation? {
        expect.tasks.first { evidence.names($0.name).contains(task.name) }
    }

    private var streams: [EventStream] {
        evidence.book.tasks.map { task in
            EventStream(task, expectation(of: task)?.events?.value, except: except)
        }
            + expect.observers.flatMap { expected in
                evidence.names(expected.name).compactMap(evidence.book.observer).map {
                    EventStream($0, expected.events?.value)
                }
            }
    }

    private var errors: [ToldError] {
        evidence.book.tasks.map {
            ToldError(.task($0, expectation(of: $0)))
        }
            + expect.results.flatMap { expected in
                evidence.names(expected.name).compactMap(evidence.book.result).map {
                    ToldError(.result($0, expected))
                }
            }
    }
}
