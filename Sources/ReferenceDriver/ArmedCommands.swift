import ClientDriver
import StorageModel

/// Commands that wait for an event, and how many fitting events each has seen.
struct ArmedCommands {
    struct Waiting {
        let command: ClientCommand
        let moment: ClientCommand.Moment
        let reply: (ClientReply) -> Void
        var seen = 0
    }

    private var waiting: [Waiting] = []

    mutating func add(
        _ command: ClientCommand, at moment: ClientCommand.Moment,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        waiting.append(Waiting(command: command, moment: moment, reply: reply))
    }

    /// The commands whose moment is this event, in the order in which they were armed.
    mutating func take(_ event: TransferEvent, of task: String) -> [Waiting] {
        var due: [Waiting] = []
        var left: [Waiting] = []
        for var entry in waiting {
            if entry.moment.fits(event, of: task) { entry.seen += 1 }
            if entry.seen == entry.moment.ordinal { due.append(entry) } else { left.append(entry) }
        }
        waiting = left
        return due
    }

    /// The events of a task that something waits for.
    func events(of task: String) -> Set<TransferEvent.Kind> {
        Set(waiting.filter { $0.moment.task == task }.map(\.moment.event))
    }

    mutating func takeAll() -> [Waiting] {
        defer { waiting = [] }
        return waiting
    }
}

extension ClientCommand.Moment {
    fileprivate func fits(_ event: TransferEvent, of task: String) -> Bool {
        self.task == task && self.event == event.kind && event.completed >= atLeast ?? 0
    }
}
