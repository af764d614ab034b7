import CloudStorage
import EventLoop
import Stress
import Testing

@Suite("Checker of tapes")
struct TapeCheckerTests {
    private static let total: Int64 = 100

    private static func event(
        _ status: StorageTaskStatus, _ completed: Int64 = 0, total: Int64? = TapeCheckerTests.total,
        code: Int? = nil, by observer: Int? = nil
    ) -> TapeEntry {
        let code = code ?? (status == .failure ? StorageErrorCode.cancelled.rawValue : nil)
        return .told(
            observer: observer ?? status.rawValue,
            Showing(status, completed: completed, total: total, code: code))
    }

    private static func completion(_ status: StorageTaskStatus, _ completed: Int64) -> TapeEntry {
        let code = status == .failure ? StorageErrorCode.cancelled.rawValue : nil
        return .completed(Showing(status, completed: completed, total: total, code: code))
    }

    /// A good life with a pause, an observer that comes and one that comes and goes.
    private static let good: [TapeEntry] = [
        event(.resume), .note(.added(observer: 6)), event(.progress, 10),
        event(.progress, 10, by: 6), .note(.pauseBegan(1)), .note(.pauseReturned(1)),
        event(.pause, 10), .note(.added(observer: 7)), .note(.removed([7])), event(.resume, 10),
        event(.progress, 100), event(.progress, 100, by: 6), event(.success, 100),
        event(.success, 100, by: 8), completion(.success, 100),
    ]

    private static var facts: TapeFacts {
        var facts = TapeFacts()
        facts.observers[6] = .progress
        facts.observers[7] = .resume
        facts.observers[8] = .success
        facts.removed = [7]
        facts.pauses = 1
        facts.resumes = 1
        return facts
    }

    private static func rules(_ tape: [TapeEntry], _ facts: TapeFacts = facts) -> Set<String> {
        Set(TapeChecker.violations(of: tape, facts).map(\.rule.rawValue))
    }

    @Test("Finds nothing in a tape that keeps every rule")
    func good() { #expect(TapeChecker.violations(of: Self.good, Self.facts) == []) }

    @Test("Finds nothing in the tape of a task that was cancelled while it was paused")
    func cancelled() {
        let tape: [TapeEntry] = [
            Self.event(.resume), Self.event(.pause), Self.event(.failure),
            .note(.cancelReturned), Self.completion(.failure, 0),
        ]
        var facts = TapeFacts()
        (facts.pauses, facts.cancels) = (1, 1)
        #expect(TapeChecker.violations(of: tape, facts) == [])
    }

    /// One change to the good tape, and the rule that it breaks.
    private static let breaks: [(String, @Sendable (inout [TapeEntry], inout TapeFacts) -> Void)] =
        [
            ("one-terminal", { tape, _ in tape.insert(event(.success, 100), at: 13) }),
            ("nothing-after", { tape, _ in tape.append(event(.progress, 100)) }),
            ("completion", { tape, _ in tape.removeLast() }),
            ("completion", { tape, _ in tape.append(completion(.success, 100)) }),
            ("completion", { tape, _ in tape[14] = completion(.failure, 100) }),
            ("completion", { tape, _ in tape.insert(completion(.success, 100), at: 12) }),
            ("progress-bounds", { tape, _ in tape[10] = event(.progress, 101) }),
            ("progress-total", { tape, _ in tape[10] = event(.progress, 99, total: 99) }),
            ("progress-monotone", { tape, _ in tape[10] = event(.progress, 10) }),
            ("quiet-while-paused", { tape, _ in tape.swapAt(9, 10) }),
            ("quiet-while-paused", { tape, _ in tape.insert(event(.progress, 11), at: 6) }),
            ("alternation", { tape, _ in tape.remove(at: 6) }),
            ("quiet-while-paused", { tape, _ in tape.remove(at: 9) }),
            ("begins-with-resume", { tape, _ in tape.remove(at: 0) }),
            ("last-progress", { tape, _ in tape[12] = event(.success, 90) }),
            ("error-with-failure-alone", { tape, _ in tape[6] = event(.pause, 10, code: -13_000) }),
            ("nothing-without-cause", { _, facts in facts.pauses = 0 }),
            ("nothing-without-cause", { _, facts in facts.resumes = 0 }),
            ("cancel-at-once", { tape, _ in tape.insert(.note(.cancelReturned), at: 8) }),
            ("own-status", { tape, _ in tape[3] = event(.resume, 10, by: 6) }),
            ("removed-is-silent", { tape, _ in tape.insert(event(.resume, 10, by: 7), at: 10) }),
            ("nothing-missed", { tape, _ in tape.remove(at: 11) }),
            ("nothing-missed", { tape, _ in tape.remove(at: 13) }),
            ("order-of-observers", { tape, _ in tape.swapAt(2, 3) }),
            ("order-of-observers", { tape, _ in tape.insert(event(.progress, 10, by: 6), at: 4) }),
        ]

    @Test("Notices each kind of breach by the rule that it breaks", arguments: breaks.indices)
    func breach(index: Int) {
        var (tape, facts) = (Self.good, Self.facts)
        let (rule, change) = Self.breaks[index]
        change(&tape, &facts)
        #expect(Self.rules(tape, facts).contains(rule), "\(Self.rules(tape, facts))")
    }

    @Test(
        "Lets an observer that was added elsewhere be told of the start late, once, while it runs")
    func lateStart() {
        var (tape, facts) = (Self.good, Self.facts)
        facts.observers[9] = .resume
        tape.insert(Self.event(.resume, 10, by: 9), at: 4)
        tape.insert(.note(.added(observer: 9)), at: 5)
        #expect(Self.rules(tape, facts) == ["order-of-observers", "nothing-missed"])
        facts.addedElsewhere = [9]
        tape.insert(Self.event(.resume, 10, by: 9), at: 12)
        #expect(Self.rules(tape, facts) == [])
        tape.insert(Self.event(.resume, 10, by: 9), at: 6)
        #expect(Self.rules(tape, facts) == ["order-of-observers"])
        tape.remove(at: 6)
        tape.insert(Self.event(.resume, 10, by: 9), at: 9)
        #expect(Self.rules(tape, facts).contains("order-of-observers"))
    }

    @Test("Lets an observer of the end that came late be told behind the completion, once")
    func late() {
        var (tape, facts) = (Self.good, Self.facts)
        facts.observers[9] = .success
        tape += [.note(.added(observer: 9)), Self.event(.success, 100, by: 9)]
        #expect(Self.rules(tape, facts) == [])
        tape.append(Self.event(.success, 100, by: 9))
        #expect(Self.rules(tape, facts).contains("nothing-missed"))
    }
}
