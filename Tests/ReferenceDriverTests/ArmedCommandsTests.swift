import ClientDriver
import StorageModel
import Testing

@testable import ReferenceDriver

@Suite("Commands that wait for an event")
struct ArmedCommandsTests {
    private static func due(
        _ moment: ClientCommand.Moment, at events: [TransferEvent], of task: String = "up"
    ) -> [Int] {
        var armed = ArmedCommands()
        armed.add(ClientCommand(.pause(task: "up", throughSnapshot: false)), at: moment) { _ in }
        return events.indices.filter { !armed.take(events[$0], of: task).isEmpty }
    }

    private static let progress = [100, 200, 300, 400].map {
        TransferEvent(kind: .progress, completed: $0)
    }

    @Test("The ordinal counts the events that fit, and each command is due once")
    func counts() {
        #expect(Self.due(.init(task: "up", event: .progress), at: Self.progress) == [0])
        #expect(Self.due(.init(task: "up", event: .progress, ordinal: 3), at: Self.progress) == [2])
        let second = ClientCommand.Moment(
            task: "up", event: .progress, ordinal: 2, atLeast: 200)
        #expect(Self.due(second, at: Self.progress) == [2])
        #expect(Self.due(.init(task: "up", event: .pause), at: Self.progress).isEmpty)
        #expect(
            Self.due(.init(task: "up", event: .progress), at: Self.progress, of: "down").isEmpty)
    }

    @Test("Commands for one event are due in the order in which they were armed")
    func keepsOrder() {
        var armed = ArmedCommands()
        let moment = ClientCommand.Moment(task: "up", event: .progress)
        for task in ["a", "b", "c"] {
            armed.add(ClientCommand(.release(task: task)), at: moment) { _ in }
        }
        let names = armed.take(Self.progress[0], of: "up").map { waiting in
            if case .release(let task) = waiting.command.verb { task } else { "" }
        }
        #expect(names == ["a", "b", "c"])
    }
}
