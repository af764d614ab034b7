package import FaultEngine
package import StorageModel

package struct UploadStep: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// From memory.
        case data(Content)
        /// From a file that the runner makes for this task.
        case file(Content)
        /// From a local file of the scenario.
        case localFile(String)
        case stream(StreamSource)
    }

    package var object: ObjectAddress
    package var source: Source
    package var metadata = MetadataFields()
    /// `if: {generation: N}`; 0: only if there is no object.
    package var ifGeneration: Int64?
    /// The task whose session goes on.
    package var continues: String?
    package var recording = TaskRecording()

    package init(object: ObjectAddress, source: Source) {
        self.object = object
        self.source = source
    }

    /// The size of the source in bytes; nil for a local file.
    package var size: Int64? {
        switch source {
        case .data(let content), .file(let content): content.givenSize
        case .localFile: nil
        case .stream(let stream): stream.content.givenSize
        }
    }
}

/// What the runner attaches to each task at its start.
package struct TaskRecording: Hashable, Sendable {
    /// A recording observer for all five events.
    package var hasObservers = true
    package var hasCompletion = true

    package init() {}
}

package struct StreamSource: Hashable, Sendable {
    package struct Gap: Hashable, Sendable {
        /// Bytes that come before the silence.
        package var at: Int64
        package var duration: Duration

        package init(at: Int64, duration: Duration) {
            self.at = at
            self.duration = duration
        }
    }

    package var content: Content
    /// False: it can be read once only.
    package var canRewind = true
    /// In the order of their offsets.
    package var gaps: [Gap] = []

    package init(content: Content) { self.content = content }
}

package struct DownloadStep: Hashable, Sendable {
    /// What stands in the way of the destination file.
    package enum Obstacle: String, Hashable, Sendable, CaseIterable {
        case missingFolder = "missing-folder"
        case readOnly = "read-only"
        case full
    }

    package enum Destination: Hashable, Sendable {
        /// At most so many bytes.
        case memory(maxSize: Int64)
        /// `existing`: what is there before.
        case file(existing: Content?, Obstacle?)
    }

    /// A reader that stops for a while.
    package struct SlowReading: Hashable, Sendable {
        package var stopAt: Int64
        package var duration: Duration

        package init(stopAt: Int64, duration: Duration) {
            self.stopAt = stopAt
            self.duration = duration
        }
    }

    package var object: ObjectAddress
    package var destination: Destination
    package var reading: SlowReading?
    package var recording = TaskRecording()

    package init(object: ObjectAddress, destination: Destination) {
        self.object = object
        self.destination = destination
    }
}

/// A task that a step acts on.
package struct TaskUse: Hashable, Sendable {
    package var task: String
    /// Through the task of the snapshot that the callback got.
    package var throughSnapshot: Bool

    package init(task: String, throughSnapshot: Bool = false) {
        self.task = task
        self.throughSnapshot = throughSnapshot
    }
}

package struct ObserveStep: Hashable, Sendable {
    package var task: String
    /// In the order of the file; all five where it gives none.
    package var events: [TransferEvent.Kind]
    /// Each callback removes itself and adds a successor.
    package var renews: Bool

    package init(task: String, events: [TransferEvent.Kind], renews: Bool = false) {
        self.task = task
        self.events = events
        self.renews = renews
    }
}

package enum UnobserveStep: Hashable, Sendable {
    /// The observer that an `observe` step made.
    case handle(String)
    case events(task: String, [TransferEvent.Kind])
    case all(task: String)
}

package struct ListStep: Hashable, Sendable {
    package var prefix: ObjectAddress
    package var maxResults: Int?
    /// The result whose next page is asked for.
    package var pageAfter: String?

    package init(prefix: ObjectAddress) { self.prefix = prefix }
}

package enum ReferenceSource: Hashable, Sendable {
    case path(String)
    case url(String)
}

/// What happens to a local file of the scenario.
package enum LocalAction: Hashable, Sendable {
    case create(String, Content)
    /// A local file, or the destination of a task, by the task's name.
    case delete(String)
    case truncate(String, size: Int64)
    case grow(String, by: Int64)
    /// Not readable.
    case forbid(String)
    case directory(String)
    case link(String, to: String)
    /// The temporary and resume files of a task.
    case purge(task: String)
}

package enum TokenUse: Hashable, Sendable {
    case use(String)
    case signOut
    case expire(String)
}

package enum WaitStep: Hashable, Sendable {
    case trigger(Trigger)
    case duration(Duration)
}

/// Steps carried out several times.
package struct RepeatStep: Hashable, Sendable {
    package var count: Int
    /// Between rounds, in turn; empty: none.
    package var gaps: [Duration]
    /// The steps with `${n}` in them, as YAML on one line; nil where all rounds are alike.
    var bodyText: String?
    /// One entry where all rounds are alike, else one for each.
    private(set) var rounds: [[Step]]

    /// - Parameter rounds: one list for all rounds, or `count` lists.
    package init(count: Int, gaps: [Duration], rounds: [[Step]]) {
        precondition(rounds.count == 1 || rounds.count == count)
        self.count = count
        self.gaps = gaps
        self.rounds = rounds
    }

    /// The steps of a round, from 1 up to `count`, with `${n}` put in.
    package func steps(ofRound round: Int) -> [Step] {
        rounds.count == 1 ? rounds[0] : rounds[round - 1]
    }

    /// The time to wait after a round and before the next.
    package func gap(afterRound round: Int) -> Duration {
        gaps.isEmpty ? .zero : gaps[(round - 1) % gaps.count]
    }
}
