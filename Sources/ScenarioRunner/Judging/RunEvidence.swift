import EventMatching
import FaultEngine
import ObjectStore
import Scenario
import StorageModel

/// All that is known of a run when it is over; expectations are held against it.
struct RunEvidence {
    var book: RunBook
    var moments: MomentLog
    /// Every record of the server's journal, connections included.
    var exchanges: [ExchangeRecord]
    var complaints: [Complaint]
    /// Until when silence was watched.
    var end: Duration
    var scale: TimeScale
    /// Requests that a transport repeated by itself count.
    var countsResends: Bool
    /// Every generation of an object, oldest first.
    var versions: (ObjectAddress) -> [StoredObject]
    /// Controls: what stands for the local bytes of a download, by its name.
    var replacedLocals: [String: (any ByteSource)?] = [:]
    var sessionsStarted: Int
    var sessionsOpen: Int
    var sessionsFed: Int
    /// Connections that are still open; nil: not known.
    var connections: Int?
    /// Bytes of given objects and of content that expectations name.
    var givenObjects: [ObjectAddress: Content] = [:]
    var contents: ScenarioContents
    /// The scenario's own bucket.
    var bucket: String

    /// When triggers happened.
    var lookup: MomentLookup {
        let scale = WallScale(factor: scale.factor)
        return MomentLookup { [moments, end] trigger in
            moments.lookup(scale.factor == 1 ? trigger : scale.trigger(trigger), now: end)
        }
    }

    /// The names that an expectation's name stands for: those of its rounds, or itself.
    func names(_ name: String) -> [String] { moments.rounds[name] ?? [name] }

    /// The exchanges of a task, up to the next task about the same object.
    func exchanges(of task: TaskRecord) -> [ExchangeRecord] {
        let next = book.tasks.filter {
            $0.isUpload == task.isUpload && $0.path == task.path && $0.bucket == task.bucket
                && $0.start > task.start
        }.map(\.start).min()
        return InvariantChecks.exchanges(of: task, before: next, in: exchanges)
    }

    /// The error that a task ended with.
    func error(of task: TaskRecord) -> ClientError? {
        task.events.first { $0.kind == .failure }?.error
            ?? task.completions.first { $0.error != nil }?.error
    }

    /// What a download has left by now: its file, or what its completion was given.
    func local(_ task: String) -> (any ByteSource)? {
        if let replaced = replacedLocals[task] { return replaced }
        return book.destinations[task]?.seen
    }

    func address(_ task: TaskRecord) -> ObjectAddress {
        ObjectAddress(bucket: task.bucket, path: task.path)
    }
}
