import EventMatching
import StorageModel
import Testing

@testable import RunModel

@Suite("Run digest")
struct RunDigestTests {
    static func exchange(_ ordinal: Int, _ operation: StorageModel.Operation, _ path: String)
        -> ExchangeRecord
    {
        var record = ExchangeRecord(
            ordinal: ordinal, connection: 1, operation: operation, method: "POST", target: "/x")
        record.bucket = "demo"
        record.path = path
        record.offset = 0
        record.length = 10
        record.status = 200
        return record
    }

    static func result() -> ScenarioResult {
        var result = ScenarioResult(id: "a/one", verdict: .passed)
        for name in ["up", "down"] {
            var task = TaskRecord(name: name, isUpload: name == "up", bucket: "demo", path: name)
            task.events = [
                TransferEvent(kind: .progress, completed: 5, total: 10),
                TransferEvent(kind: .success, completed: 10, total: 10),
            ]
            result.tasks.append(task)
        }
        result.exchanges = [
            exchange(1, .uploadStart, "up"), exchange(2, .download, "down"),
            exchange(3, .uploadFinalize, "up"), exchange(4, .download, "down"),
        ]
        result.exchanges[2].faults = [FiredFault(rule: 1, name: "cut", time: .seconds(1))]
        return result
    }

    @Test("Neither the order of scenarios, tasks and lanes nor any time changes it")
    func isStable() {
        let one = Self.result()
        var other = one
        other.tasks.reverse()
        // The same lanes, met in another order.
        let order = [2, 1, 4, 3]
        for (index, ordinal) in order.enumerated() { other.exchanges[index].ordinal = ordinal }
        for index in other.exchanges.indices {
            other.exchanges[index].start = .seconds(9)
            other.exchanges[index].connection = 3
        }
        other.tasks[0].events[0].time = .seconds(3)
        other.duration = .seconds(4)
        #expect(one.digest == other.digest)
        var second = ScenarioResult(id: "b", verdict: .failed)
        second.seed = 1
        #expect(RunDigest.text(of: [one, second]) == RunDigest.text(of: [second, one]))
        #expect(one.digest.count == 64)
    }

    static let changes: [@Sendable (inout ScenarioResult) -> Void] = [
        { $0.id += "x" },
        { $0.tasks[0].name = "upp" },
        { $0.tasks[0].events[0].completed += 1 },
        { $0.tasks[0].events[0].total = 11 },
        { $0.tasks[0].events[0].total = nil },
        { $0.tasks[0].events[1].kind = .failure },
        { $0.tasks[0].events[1].error = ClientError(code: .unknown) },
        { $0.tasks[0].events.swapAt(0, 1) },
        { $0.tasks[0].events.removeLast() },
        { $0.tasks[0].completions.append(.init(time: .zero)) },
        { $0.exchanges[0].offset = 1 },
        { $0.exchanges[0].offset = nil },
        { $0.exchanges[0].length = 11 },
        { $0.exchanges[0].status = 201 },
        { $0.exchanges[0].status = nil },
        { $0.exchanges[0].operation = .uploadQuery },
        { $0.exchanges[0].path = "upp" },
        { $0.exchanges[0].ordinal = 9 },
        { $0.exchanges.removeLast() },
        { $0.exchanges[2].faults[0].rule = 2 },
        { $0.exchanges[2].faults[0].name = "cut2" },
        { $0.exchanges[2].faults = [] },
        { $0.exchanges[2].complaints = [Complaint(.unknownRoute, sentence: "y")] },
    ]

    @Test(
        "Every byte of an event, every field of an exchange and every fault changes it",
        arguments: changes.indices)
    func seesChanges(index: Int) {
        var changed = Self.result()
        Self.changes[index](&changed)
        #expect(changed.digest != Self.result().digest)
    }

    @Test("Fields that only together are the same text are told apart")
    func tellsFieldsApart() {
        var one = Self.result()
        var other = one
        one.tasks[0].name = "ab"
        one.tasks[1].name = "c"
        other.tasks[0].name = "a"
        other.tasks[1].name = "bc"
        #expect(one.digest != other.digest)
    }
}
