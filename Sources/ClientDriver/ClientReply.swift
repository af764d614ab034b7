package import StorageModel

/// How a command ended.
package enum ClientReply: Hashable, Sendable {
    case result(ClientResult)
    case error(ClientError)
    /// The client cannot do that, and says so: with the right capabilities it is not asked.
    case unsupported(String)
    /// The client was not asked: we could not hand over what the command needs, which is no fault of
    /// the client.
    case hindered(String)
    /// The client is gone, or the scenario was ended; its misbehaviour, if any, was reported.
    case lost
}

/// What a verb gives.
package enum ClientResult: Hashable, Sendable {
    /// Carried out, and there is nothing to tell.
    case done
    /// Fields by their wire names, custom ones as `metadata.KEY`.
    case metadata([String: String])
    case list(Page)
    case url(String)
    case fetched(Answer)
    case image(Image)
    case reference(Reference)
    case snapshot(Snapshot)
    /// Of `burst` and `parallel`, in the order of their commands.
    case several([ClientReply])

    package struct Page: Hashable, Sendable {
        /// Full paths.
        package var items: [String]
        package var prefixes: [String]
        /// Given back for the page after this one; nil on the last.
        package var nextPageToken: String?

        package init(items: [String], prefixes: [String], nextPageToken: String? = nil) {
            self.items = items
            self.prefixes = prefixes
            self.nextPageToken = nextPageToken
        }
    }

    package struct Answer: Hashable, Sendable {
        package var status: Int
        package var headers: HTTPHeaders
        /// The file with the body.
        package var path: String

        package init(status: Int, headers: HTTPHeaders, path: String) {
            self.status = status
            self.headers = headers
            self.path = path
        }
    }

    /// An image at the end of its load.
    package struct Image: Hashable, Sendable {
        /// What was shown, in order: `placeholder`, `cached`, `image`.
        package var states: [String]
        /// Where the image came from: `server`, `memory`, `disk`.
        package var origin: String
        /// The server could not be asked whether it is still the stored one.
        package var isStale: Bool
        /// The file with the image.
        package var path: String

        package init(states: [String], origin: String, isStale: Bool = false, path: String) {
            self.states = states
            self.origin = origin
            self.isStale = isStale
            self.path = path
        }

        /// The words for what is shown.
        package static let states = ["placeholder", "cached", "image"]
        /// The words for where an image comes from.
        package static let origins = ["server", "memory", "disk"]
    }

    package struct Reference: Hashable, Sendable {
        package var name: String
        package var path: String
        package var bucket: String
        /// Full path of the parent; nil at the root.
        package var parent: String?

        package init(name: String, path: String, bucket: String, parent: String?) {
            self.name = name
            self.path = path
            self.bucket = bucket
            self.parent = parent
        }
    }

    package struct Snapshot: Hashable, Sendable {
        /// Nil: before the first event.
        package var status: TransferEvent.Kind?
        package var completed: Int64
        package var total: Int64?
        package var metadata: [String: String]?
        package var error: ClientError?

        package init(
            status: TransferEvent.Kind?, completed: Int64, total: Int64?,
            metadata: [String: String]? = nil, error: ClientError? = nil
        ) {
            self.status = status
            self.completed = completed
            self.total = total
            self.metadata = metadata
            self.error = error
        }
    }
}
