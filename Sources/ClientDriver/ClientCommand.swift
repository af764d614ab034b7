package import StorageModel

/// One thing that a client under test is told to do.
package struct ClientCommand: Sendable {
    package var verb: Verb
    /// Carried out inside the callback for this moment; nil: at once.
    package var on: Moment?
    /// The storage instance; nil: the default one.
    package var instance: String?

    package init(_ verb: Verb, on moment: Moment? = nil, instance: String? = nil) {
        self.verb = verb
        on = moment
        self.instance = instance
    }

    package indirect enum Verb: Sendable {
        case upload(Upload)
        case download(Download)
        case pause(task: String, throughSnapshot: Bool)
        case resume(task: String, throughSnapshot: Bool)
        case cancel(task: String, throughSnapshot: Bool)
        /// The task's state now.
        case snapshot(task: String)
        case observe(Observe)
        case unobserve(Unobserve)
        case getMetadata(ObjectPlace)
        /// Fields by their wire names, custom ones as `metadata.KEY`; nil clears the field.
        case updateMetadata(ObjectPlace, set: [String: String?])
        case delete(ObjectPlace)
        case url(ObjectPlace)
        case list(ObjectPlace, maxResults: Int?, pageToken: String?)
        case listAll(ObjectPlace)
        /// A plain GET without credentials; the answer's bytes go to the file `into`.
        case fetch(url: String, into: String)
        /// Through the client's image loader; the image goes to the file `into`.
        case image(ObjectPlace, into: String)
        case reference(ReferenceText)
        /// The program lets go of the task.
        case release(task: String)
        /// Forget the token in hand; signed in: ask for one again, signed out: send none.
        case token(signedIn: Bool)
        /// Delete the temporary and resume files of a task.
        case purge(task: String)
        /// The process ends without notice and starts again.
        case restart
        /// In one turn of the client's callback queue.
        case burst([ClientCommand])
        /// At once, each on a thread of its own.
        case parallel([ClientCommand])
    }

    /// An event of a task that a command waits for.
    package struct Moment: Hashable, Sendable {
        package var task: String
        package var event: TransferEvent.Kind
        /// Counts the events that fit, from 1.
        package var ordinal: Int
        /// Only events with at least that many bytes completed fit.
        package var atLeast: Int64?

        package init(
            task: String, event: TransferEvent.Kind, ordinal: Int = 1, atLeast: Int64? = nil
        ) {
            self.task = task
            self.event = event
            self.ordinal = ordinal
            self.atLeast = atLeast
        }
    }

    /// A path in a bucket; an empty path is the root.
    package struct ObjectPlace: Hashable, Sendable {
        /// Nil: the instance's bucket.
        package var bucket: String?
        package var path: String

        package init(bucket: String? = nil, path: String) {
            self.bucket = bucket
            self.path = path
        }
    }

    package enum ReferenceText: Hashable, Sendable {
        case path(String)
        case url(String)
    }

    /// Which observer, or which of them, to remove.
    package enum Unobserve: Hashable, Sendable {
        case handle(String)
        /// Nil: those of all events. The recorder stays.
        case task(String, events: [TransferEvent.Kind]?)
    }

    package struct Observe: Hashable, Sendable {
        package var task: String
        /// The observer's name in reports.
        package var name: String
        package var events: [TransferEvent.Kind]
        /// Each callback removes itself and adds a successor.
        package var renews: Bool

        package init(
            task: String, name: String, events: [TransferEvent.Kind] = TransferEvent.Kind.allCases,
            renews: Bool = false
        ) {
            self.task = task
            self.name = name
            self.events = events
            self.renews = renews
        }
    }
}
