import FaultEngine
import Scenario
import StorageModel
import Testing

@Suite("Triggers")
struct TriggerTests {
    private static let start = """
        faults: [{name: cut, match: upload.body, at: request-head, do: {delay: 1s}}]
        steps:
          - {upload: a, as: up, data: {size: 1MiB, seed: 1}}
          - {url: b, as: link}
          - {repeat: 3, do: [{upload: c, as: many, data: {text: x}}]}
          - {pause: up, as: stop}

        """

    private func when(_ trigger: String) -> Reading {
        Reading(body: Self.start + "  - {wait: 1s, when: \(trigger)}")
    }

    private static let upload = ExchangeSelector(
        operation: .one(.uploadChunk), ordinal: .exactly(2))

    private static func filtered(_ glob: String) -> ExchangeSelector {
        var selector = ExchangeSelector(operation: .one(.uploadFinalize))
        selector.filters.path = Glob(glob)
        return selector
    }

    private static func task(
        _ name: String, _ moment: TaskTrigger.Moment, _ ordinal: Int = 1, _ bytes: String? = nil
    ) -> Trigger {
        .task(
            TaskTrigger(
                task: name, moment: moment, ordinal: ordinal,
                bytes: bytes.flatMap { NumberTest($0, unit: .size) }))
    }

    @Test(
        "Each form is read",
        arguments: [
            ("up progress", task("up", .event(.progress))),
            ("up progress#2", task("up", .event(.progress), 2)),
            ("up progress >= 512KiB", task("up", .event(.progress), 1, ">= 512KiB")),
            ("up progress >= 50%", task("up", .event(.progress), 1, ">= 50%")),
            ("up pause#3", task("up", .event(.pause), 3)),
            ("up end", task("up", .end)),
            ("\"many#3 success\"", task("many#3", .event(.success))),
            ("link end", .result(name: "link", .end)),
            ("fault cut", .fault(name: "cut", ordinal: 1)),
            ("fault cut#2", .fault(name: "cut", ordinal: 2)),
            ("step stop", .step(name: "stop")),
            ("time 2s", .time(.seconds(2))),
            ("gate g", .gate(name: "g")),
            (
                "wire upload.chunk#2 request-body 100KiB",
                .wire(upload, .requestBody(.bytes(102_400)))
            ),
            (
                "wire upload.finalize path=images/* after-commit",
                .wire(filtered("images/*"), .afterCommit)
            ),
            ("wire upload.finalize path=a b after-commit", .wire(filtered("a b"), .afterCommit)),
            (
                "\"wire download#every 3 response-head\"",
                .wire(.init(operation: .one(.download), ordinal: .every(3)), .responseHead)
            ),
            ("[up progress, time 2s]", .all([task("up", .event(.progress)), .time(.seconds(2))])),
        ])
    func forms(text: String, trigger: Trigger) {
        let reading = when(text)
        #expect(reading.messages == [])
        #expect(reading.scenario?.steps.last?.when == trigger)
    }

    @Test(
        "Each mistake is told at its word",
        arguments: [
            ("upp progress", "9:22: unknown task or result 'upp' | up"),
            ("up", "9:24: an event of 'up' is missing: up progress, up end"),
            ("up progres", "9:25: unknown event 'progres' | progress"),
            ("up progress#0", "9:25: an event's ordinal is a number from 1 on: progress#2"),
            (
                "up progress >= 5x",
                "9:34: '>= 5x' is no test of a size: 1MiB, \"< 1MiB\", 4KiB..8KiB, 4KiB.. or ..8KiB"
            ),
            ("\"many#4 success\"", "9:23: 'many' has the rounds 1 to 3"),
            ("\"up#2 success\"", "9:23: 'up' stands in no 'repeat', so it has no rounds"),
            ("link progress", "9:27: unknown moment of a result 'progress': success, failure, end"),
            ("stop end", "9:22: 'stop' is no task and no result, so it has no events"),
            ("fault cot", "9:28: unknown fault 'cot' | cut"),
            ("step stp", "9:27: unknown step 'stp' | stop"),
            (
                "time 2",
                "9:27: '2' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d"
            ),
            ("wire uplod.body request-head", "9:27: unknown operation 'uplod.body' | upload.body"),
            (
                "wire upload.body",
                "9:38: a phase is missing: request-body 100KiB, after-commit and the like"
            ),
            (
                "wire upload.body connect",
                "9:39: 'connect' has the phase 'connect', and no other operation has it"
            ),
            ("[]", "9:22: a list of triggers must not be empty"),
            (
                "[up progress, up x]",
                "9:39: unknown event 'x': resume, progress, pause, success, failure, end"
            ),
        ])
    func refusals(text: String, message: String) {
        let messages = when(text).messages
        #expect(messages == [message])
    }

    @Test(
        "A served scenario has no events and no steps",
        arguments: [
            ("hold: up progress", "an event of the task 'up'"),
            ("hold: [time 2s, step stop]", "the step 'stop'"),
            ("hold: link end", "the result 'link'"),
        ])
    func serving(action: String, what: String) {
        let reading = Reading(
            body: Self.start.replacing("{delay: 1s}", with: "{\(action)}"))
        let diagnostics = reading.scenario?.validateForServing() ?? []
        #expect(
            diagnostics.map(\.message) == [
                "a served scenario has no client, so there is never \(what)"
            ])
        #expect(diagnostics.first?.place.line == 3)
    }

    @Test("Triggers on the wire, on faults and on time can be served")
    func servable() {
        let reading = Reading(
            body: Self.start.replacing(
                "{delay: 1s}",
                with: "{hold: [wire download request-head, fault cut, time 2s, gate g]}"))
        #expect(reading.scenario?.validateForServing() == [])
    }
}
