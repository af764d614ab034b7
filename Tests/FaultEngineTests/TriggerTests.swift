import FaultEngine
import StorageModel
import Testing

@Suite("Triggers")
struct TriggerTests {
    private func bench(_ trigger: Trigger) -> FaultBench {
        FaultBench([rule("download", actions: [.hold(until: trigger, atMost: nil)])])
    }

    @Test("The n-th event of a task happened when n events fitted")
    func taskEvent() {
        let trigger = Trigger.task(
            TaskTrigger(task: "up", moment: .event(.progress), ordinal: 2))
        var bench = bench(trigger)
        bench.injector.note(TransferEvent(kind: .progress), of: "up", at: .zero)
        bench.injector.note(TransferEvent(kind: .progress), of: "other", at: .zero)
        bench.injector.note(TransferEvent(kind: .pause), of: "up", at: .zero)
        #expect(!bench.injector.happened(trigger, now: .zero))
        bench.injector.note(TransferEvent(kind: .progress), of: "up", at: .zero)
        #expect(bench.injector.happened(trigger, now: .zero))
    }

    @Test("A byte test counts only events that pass it")
    func byteTest() throws {
        let test = try #require(NumberTest(">= 50%", unit: .size))
        let trigger = Trigger.task(
            TaskTrigger(task: "up", moment: .event(.progress), bytes: test))
        var bench = bench(trigger)
        bench.injector.note(
            TransferEvent(kind: .progress, completed: 49, total: 100), of: "up", at: .zero)
        #expect(!bench.injector.happened(trigger, now: .zero))
        bench.injector.note(
            TransferEvent(kind: .progress, completed: 50, total: 100), of: "up", at: .zero)
        #expect(bench.injector.happened(trigger, now: .zero))
    }

    @Test("`end` is either terminal event", arguments: [TransferEvent.Kind.success, .failure])
    func end(kind: TransferEvent.Kind) {
        let trigger = Trigger.task(TaskTrigger(task: "up", moment: .end))
        var bench = bench(trigger)
        bench.injector.note(TransferEvent(kind: .progress), of: "up", at: .zero)
        #expect(!bench.injector.happened(trigger, now: .zero))
        bench.injector.note(TransferEvent(kind: kind), of: "up", at: .zero)
        #expect(bench.injector.happened(trigger, now: .zero))
    }

    @Test("A wire trigger happens when its exchange gets to the phase, not at its head")
    func wire() {
        let trigger = Trigger.wire(
            ExchangeSelector(operation: .uploadBody, ordinal: .exactly(2)), .afterCommit)
        var bench = bench(trigger)
        var first = bench.head(.uploadChunk)
        _ = bench.fire(.afterCommit, &first)
        #expect(!bench.injector.happened(trigger, now: .zero))
        var second = bench.head(.uploadChunk)
        #expect(!bench.injector.happened(trigger, now: .zero))
        _ = bench.fire(.afterCommit, &second)
        #expect(bench.injector.happened(trigger, now: .zero))
    }

    @Test("A list happened when its last part did")
    func all() {
        let trigger = Trigger.all([
            .gate(name: "go"), .step(name: "one"), .time(.seconds(2)),
            .result(name: "page", .success),
        ])
        var bench = bench(trigger)
        bench.injector.noteGate("go", at: .zero)
        bench.injector.noteStep("one", at: .zero)
        bench.injector.noteResult("page", isSuccess: true, at: .zero)
        #expect(!bench.injector.happened(trigger, now: .seconds(1)))
        #expect(bench.injector.happened(trigger, now: .seconds(2)))
    }

    @Test("A failed result fulfils `failure` and `end`, not `success`")
    func results() {
        let triggers = [ResultMoment.success, .failure, .end].map {
            Trigger.result(name: "page", $0)
        }
        var bench = bench(.all(triggers))
        bench.injector.noteResult("page", isSuccess: false, at: .zero)
        #expect(triggers.map { bench.injector.happened($0, now: .zero) } == [false, true, true])
    }

    @Test("A hold keeps the exchange that it means, once")
    func hold() {
        var bench = FaultBench([])
        let id = bench.injector.hold(
            at: ExchangeSelector(operation: .uploadBody, ordinal: .exactly(2)),
            phase: .requestBody(.bytes(64)))
        var first = bench.head(.uploadChunk, length: 100)
        #expect(first.requestStops == [])
        var second = bench.head(.uploadChunk, length: 100)
        #expect(second.requestStops == [64])
        #expect(bench.injector.arrive(.requestBody(64), &second, at: .zero) == [id])
        #expect(bench.injector.arrive(.requestBody(64), &second, at: .zero) == [])
        #expect(bench.injector.arrive(.requestBody(64), &first, at: .zero) == [])
    }
}
