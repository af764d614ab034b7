package import StorageModel

extension ClientCommand {
    /// Bytes handed to a client.
    package enum GivenBytes: Sendable {
        /// A file that the client reads into memory.
        case file(path: String)
        /// For a driver in process; a driver of a child writes them to a file first.
        case source(any ByteSource)
    }

    package struct Upload: Sendable {
        package enum Source: Sendable {
            case data(GivenBytes)
            /// The local file itself is what the client is given; it need not exist.
            case file(path: String)
            case stream(Stream)
        }

        /// A source read once, that pauses at some places.
        package struct Stream: Sendable {
            package struct Gap: Hashable, Sendable {
                /// Bytes given before the pause.
                package var at: Int64
                package var length: Duration

                package init(at: Int64, length: Duration) {
                    self.at = at
                    self.length = length
                }
            }

            package var bytes: GivenBytes
            /// It can be read again from its beginning.
            package var rewinds: Bool
            package var gaps: [Gap]

            package init(bytes: GivenBytes, rewinds: Bool = false, gaps: [Gap] = []) {
                self.bytes = bytes
                self.rewinds = rewinds
                self.gaps = gaps
            }
        }

        /// The task's name in reports.
        package var task: String
        package var object: ObjectPlace
        package var source: Source
        /// By wire names, custom ones as `metadata.KEY`; nil: none given.
        package var metadata: [String: String]?
        /// Preconditions by their wire names, such as `ifGenerationMatch`.
        package var conditions: [String: String] = [:]
        /// The task, of a process that ended, that this one continues.
        package var continues: String?
        /// False: no recorder of the five events.
        package var isObserved = true
        package var hasCompletion = true

        package init(task: String, object: ObjectPlace, source: Source) {
            self.task = task
            self.object = object
            self.source = source
        }
    }

    package struct Download: Sendable {
        package enum Target: Hashable, Sendable {
            /// In memory. A client that hands over no bytes writes them to `into` before it reports the
            /// completion.
            case memory(maxSize: Int64, into: String)
            /// The local file itself is what the client is given.
            case file(path: String)
        }

        /// A reader that stops for a while.
        package struct SlowReading: Hashable, Sendable {
            package var stopAt: Int64
            package var length: Duration

            package init(stopAt: Int64, length: Duration) {
                self.stopAt = stopAt
                self.length = length
            }
        }

        package var task: String
        package var object: ObjectPlace
        package var target: Target
        package var reading: SlowReading?
        package var isObserved = true
        package var hasCompletion = true

        package init(task: String, object: ObjectPlace, target: Target) {
            self.task = task
            self.object = object
            self.target = target
        }
    }
}
