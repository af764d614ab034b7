/// A resumable upload under way: what came so far and how it ended.
///
/// Confined like its store. Commands and their answers are the wire's business; the session holds
/// the state and the rules of what may follow what.
package final class UploadSession {
    package enum State: Hashable, Sendable {
        case active
        case final(Outcome)
        case cancelled
    }

    /// How the request that finished the session was answered.
    package struct Outcome: Hashable, Sendable {
        package var status: Int
        /// The object that came of it; nil after a refusal.
        package var generation: Int64?
        package var message: String?

        package init(status: Int, generation: Int64? = nil, message: String? = nil) {
            self.status = status
            self.generation = generation
            self.message = message
        }
    }

    /// What the start request said.
    package struct Opening: Sendable {
        package var bucket: String
        package var name: String
        package var declaredSize: Int64?
        package var fields = ObjectFields()
        package var precondition = Precondition()
        /// Announced MD5 of the whole object (16 bytes) and CRC-32C.
        package var md5: [UInt8]?
        package var crc32c: UInt32?
        /// A refusal that the finishing request gets: the start request was not allowed to write.
        package var refusal: Outcome?

        package init(bucket: String, name: String) {
            self.bucket = bucket
            self.name = name
        }
    }

    package let id: String
    /// 1, 2, ... in the order of the start requests.
    package let ordinal: Int
    package let opening: Opening
    /// Bytes.
    package let granularity: Int64
    package internal(set) var state = State.active
    /// Milliseconds since 1970.
    package internal(set) var expiry: Int64
    /// True once a fault made the session say or do what production would not: its client is then
    /// not to blame for what it sends.
    package internal(set) var isTampered = false
    /// True once a request brought at least one object byte.
    package internal(set) var isFed = false
    /// Bodies being received at this moment.
    package internal(set) var openBodies: Set<ObjectIdentifier> = []
    var lockEnd: Int64?
    var claim: Int64?
    var content: BodyPieces
    var digest = ContentDigest()

    init(id: String, ordinal: Int, opening: Opening, granularity: Int64, expiry: Int64) {
        self.id = id
        self.ordinal = ordinal
        self.opening = opening
        self.granularity = granularity
        self.expiry = expiry
        content = BodyPieces()
    }

    /// Object bytes that the session holds.
    package var received: Int64 { content.count }

    /// Object bytes that it says it holds.
    package var told: Int64 { claim ?? received }
}
