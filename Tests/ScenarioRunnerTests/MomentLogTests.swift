import EventMatching
import FaultEngine
import StorageModel
import Testing

@testable import ScenarioRunner

@Suite("Moment log")
struct MomentLogTests {
    private static func trigger(
        _ kind: TransferEvent.Kind, of task: String = "up", ordinal: Int = 1,
        bytes: String? = nil
    ) -> Trigger {
        .task(
            TaskTrigger(
                task: task, moment: .event(kind), ordinal: ordinal,
                bytes: bytes.flatMap { NumberTest($0, unit: .size) }))
    }

    private static func log() -> MomentLog {
        var log = MomentLog()
        log.noteHead(at: .zero)
        for (index, completed) in [100, 200, 300].enumerated() {
            log.note(
                TransferEvent(
                    kind: .progress, completed: Int64(completed), total: 400,
                    time: .seconds(index + 1)), of: "up")
            log.noteHead(at: .seconds(index + 1))
        }
        return log
    }

    @Test(
        "Finds the event that a trigger means",
        arguments: [
            (trigger(.progress), 1), (trigger(.progress, ordinal: 2), 2),
            (trigger(.progress, bytes: ">= 150"), 2), (trigger(.progress, bytes: ">= 75%"), 3),
            (trigger(.progress, ordinal: 4), nil), (trigger(.progress, of: "other"), nil),
            (trigger(.pause), nil),
            (.all([trigger(.progress), trigger(.progress, ordinal: 3)]), 3),
            (.all([trigger(.progress), trigger(.pause)]), nil), (.time(.seconds(2)), 2),
            (.time(.seconds(9)), nil),
        ] as [(Trigger, Int?)])
    func finds(trigger: Trigger, seconds: Int?) {
        #expect(
            Self.log().lookup(trigger, now: .seconds(5))?.time == seconds.map { .seconds($0) })
    }

    @Test("Tells how many heads were read by then")
    func ordinals() {
        let log = Self.log()
        #expect(log.lookup(Self.trigger(.progress), now: .seconds(9))?.ordinal == 1)
        #expect(log.lookup(Self.trigger(.progress, ordinal: 3), now: .seconds(9))?.ordinal == 3)
        #expect(log.lookup(.time(.seconds(3)), now: .seconds(9))?.ordinal == 3)
    }

    @Test("Results, steps and faults happen by their names")
    func names() {
        var log = MomentLog()
        log.noteResult("page", isSuccess: false, at: .seconds(1))
        log.noteStep("stop", at: .seconds(2))
        log.noteFault("cut", at: .seconds(3))
        log.noteFault("cut", at: .seconds(4))
        func seconds(_ trigger: Trigger) -> Duration? {
            log.lookup(trigger, now: .seconds(9))?.time
        }
        #expect(seconds(.result(name: "page", .end)) == .seconds(1))
        #expect(seconds(.result(name: "page", .failure)) == .seconds(1))
        #expect(seconds(.result(name: "page", .success)) == nil)
        #expect(seconds(.step(name: "stop")) == .seconds(2))
        #expect(seconds(.fault(name: "cut", ordinal: 2)) == .seconds(4))
        #expect(seconds(.fault(name: "cut", ordinal: 3)) == nil)
        #expect(seconds(.gate(name: "open")) == nil)
    }

    @Test("A name given inside a repeat has happened when it did in every round")
    func rounds() {
        var log = MomentLog(rounds: ["up": ["up#1", "up#2"]])
        let end = Trigger.task(TaskTrigger(task: "up", moment: .end))
        log.note(TransferEvent(kind: .success, time: .seconds(1)), of: "up#1")
        #expect(log.lookup(end, now: .seconds(9)) == nil)
        log.note(TransferEvent(kind: .failure, time: .seconds(2)), of: "up#2")
        #expect(log.lookup(end, now: .seconds(9))?.time == .seconds(2))
    }
}
