/// What the mock backend is set up with (scenario key `backend`).
package struct BackendSettings: Hashable, Sendable {
    package enum Access: Hashable, Sendable {
        case open
        case signedIn
        case rules([AccessRule])
    }

    /// The plan that the project is on (rule D28).
    package enum Plan: Hashable, Sendable {
        case blaze
        /// Uploads of executables, told by the name, are refused.
        case spark
    }

    /// What a body at another offset than the session's gets; `refuse` is a status.
    package enum OffsetMismatch: Hashable, Sendable {
        case refuse(status: Int)
        case append
        case overlap
    }

    /// What becomes of a body that is under way when its session is asked how much came.
    package enum OverlappingQuery: String, Hashable, Sendable, CaseIterable {
        /// It goes on.
        case answer
        /// Its connection is reset; whole units of what came are kept.
        case resetBody = "reset-body"
    }

    /// How many connections there may be at once.
    package struct ConnectionLimit: Hashable, Sendable {
        package enum Beyond: String, Hashable, Sendable, CaseIterable {
            /// The port is closed until one of them ends.
            case refuse
            /// Further ones are made, and taken up one by one as others end.
            case queue
        }

        /// 1 or more.
        package var count: Int
        package var beyond: Beyond

        package init(count: Int, beyond: Beyond) {
            self.count = count
            self.beyond = beyond
        }
    }

    package struct Token: Hashable, Sendable {
        /// How long it is valid from its first use; nil: for ever.
        package var valid: Duration?

        package init(valid: Duration? = nil) { self.valid = valid }
    }

    package struct GivenObject: Hashable, Sendable {
        package var path: String
        package var content: Content
        package var contentType: String?
        /// Further fields by their wire names (`cacheControl`, ...).
        package var fields: [String: String] = [:]
        package var custom: [String: String] = [:]

        package init(path: String, content: Content, contentType: String? = nil) {
            self.path = path
            self.content = content
            self.contentType = contentType
        }
    }

    /// The default bucket; nil: any bucket is accepted and made on first use (`squall serve`).
    package var bucket: String? = "demo.appspot.com"
    /// Further buckets that exist.
    package var otherBuckets: [String] = []
    /// Bytes; uploads are kept in whole units of it.
    package var granularity: Int64 = 262_144
    package var access = Access.open
    package var plan = Plan.blaze
    /// Bearer tokens by name; nil: any token is accepted (`squall serve`).
    package var tokens: [String: Token]? = [:]
    package var objects: [GivenObject] = []
    /// Before each answer.
    package var latency = Duration.zero
    /// Bytes per second; nil: unlimited.
    package var bandwidthUp: Int64?
    package var bandwidthDown: Int64?
    /// Nil: unlimited.
    package var connectionLimit: ConnectionLimit?
    package var sessionLifetime = Duration.seconds(7 * 86_400)
    /// True: synthetic uploads are checked against their source and thrown away.
    package var verifiesInsteadOfKeeping = false
    package var offsetMismatch = OffsetMismatch.refuse(status: 400)
    /// Status for an upload whose announced checksum is wrong; nil: ignored.
    package var checksumMismatchStatus: Int? = 400
    package var sessionInUseStatus = 423
    package var overlappingQuery = OverlappingQuery.answer
    /// True: every answer's connection is closed, so that no transport can hide a fault.
    package var freshConnections = false

    package init() {}
}
