/// A resumable upload: what came so far, and how it ended.
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
        /// Why it was refused.
        package var message: String?

        package init(status: Int, generation: Int64? = nil, message: String? = nil) {
            self.status = status
            self.generation = generation
            self.message = message
        }
    }

    /// How much an upload may bring, and what it gets if it brings more.
    package struct SizeLimit: Hashable, Sendable {
        /// Bytes.
        package var size: Int64
        package var refusal: Outcome

        package init(size: Int64, refusal: Outcome) {
            self.size = size
            self.refusal = refusal
        }
    }

    /// What the start request said.
    package struct Opening: Sendable {
        package var bucket: String
        package var name: String
        /// Bytes; nil where it was not announced.
        package var declaredSize: Int64?
        package var fields = ObjectFields()
        package var precondition = Precondition()
        package var announced = AnnouncedSums()
        /// The refusal that the finishing request gets: the start request was not allowed to write.
        package var refusal: Outcome?
        package var sizeLimit: SizeLimit?

        package init(bucket: String, name: String) {
            self.bucket = bucket
            self.name = name
        }
    }

    package let id: String
    /// 1, 2, ... in the order of the start requests.
    package let ordinal: Int
    package let opening: Opening
    /// Bytes; more than 0.
    package let granularity: Int64
    package private(set) var state = State.active
    /// The moment of the store's wall clock from which it is unknown, in milliseconds since 1970.
    package internal(set) var expiry: Int64
    /// True once a fault made the session say or do what production would not: its client is then
    /// not to blame for what it sends.
    package internal(set) var isTampered = false
    /// True once a request brought at least one object byte.
    package private(set) var isFed = false
    /// Object bytes that it holds, or held when it ended.
    package private(set) var received: Int64 = 0
    /// Bodies that are being received.
    private var openBodies: Set<ObjectIdentifier> = []
    /// Until when it refuses everything, in milliseconds since 1970.
    var lockEnd: Int64?
    private var claimed: Int64?
    private(set) var content = BodyPieces()
    private var digest = ContentDigest()

    init(id: String, ordinal: Int, opening: Opening, granularity: Int64, expiry: Int64) {
        self.id = id
        self.ordinal = ordinal
        self.opening = opening
        self.granularity = granularity
        self.expiry = expiry
    }

    /// Object bytes that it says it holds.
    package var told: Int64 { claimed ?? received }

    /// True for a session that takes further requests.
    package var isOpen: Bool { state == .active }
}

// Bodies on their way in.
extension UploadSession {
    /// True where at least one other body is being received.
    package func isReceiving(besides body: ObjectIdentifier) -> Bool {
        openBodies.contains { $0 != body }
    }

    /// Notes that a body is being received, until `ended`.
    package func began(_ body: ObjectIdentifier) { openBodies.insert(body) }

    package func ended(_ body: ObjectIdentifier) { openBodies.remove(body) }

    /// The sums of what it holds, to be gone on with; nil where they are not worth computing.
    func digest(at start: Int64, upTo limit: Int64) -> ContentDigest? {
        guard start == received, received - digest.count <= limit else { return nil }
        digest.advance(over: content, to: received)
        return digest
    }

    /// Keeps bytes of a body; returns how many of those that came.
    ///
    /// Where the body begins before the end of what is held, bytes held already are skipped; where
    /// it begins behind it (a fault lied), zeros fill the hole.
    package func commit(
        _ body: StagedBody, keeping kept: KeptBytes, declared: Int64?, rule: OffsetRule
    ) -> Int64 {
        guard isOpen else { return 0 }
        let start = rule == .append ? received : body.start
        let count = kept.count(
            received: body.count, declared: declared, start: start, granularity: granularity)
        if body.count > 0 { isFed = true }
        guard count > 0 || kept.isLie else { return 0 }
        if start > received { content.appendZeros(start - received) }
        let continues = body.start == received && count == body.count
        content.append(body.pieces, min(count, max(0, received - start))..<count)
        if case .twice = kept { content.append(body.pieces, 0..<count) }
        if case .more(let bytes) = kept { content.appendZeros(bytes) }
        if continues, let sums = body.digest { digest = sums }
        received = content.count
        claimed = nil
        if kept.isLie { isTampered = true }
        return count
    }

    /// The sums of everything; `.none` where computing them would take too long.
    func sums(limit: Int64) -> ContentDigest.Sums {
        guard received - digest.count <= limit else { return .none }
        digest.advance(over: content, to: received)
        return digest.sums
    }

    /// Ends it; what it held is freed.
    func end(as state: State) {
        self.state = state
        content = BodyPieces()
        digest = ContentDigest()
        claimed = nil
    }

    /// Cancels it, as its client asked.
    package func cancel() {
        if isOpen { end(as: .cancelled) }
    }
}

// What faults do: from then on the client is not to blame for what does not fit.
extension UploadSession {
    /// Ends its life: it is unknown from now on.
    package func expire() {
        isTampered = true
        expiry = .min
        content = BodyPieces()
    }

    /// Ends it as a cancel command would.
    package func cancelByFault() {
        isTampered = true
        cancel()
    }

    /// Refuses requests until a moment of the store's wall clock, in milliseconds since 1970.
    package func lock(until end: Int64) {
        isTampered = true
        lockEnd = end
    }

    /// Loses so many of the bytes that it holds, from the end.
    package func lose(_ bytes: Int64) {
        guard isOpen else { return }
        isTampered = true
        content.truncate(to: max(0, received - max(0, bytes)))
        received = content.count
        if digest.count > received { digest = ContentDigest() }
    }

    /// Far beyond the largest object, and far from what a sum of offsets cannot hold.
    private static let largestClaim: Int64 = 1 << 50

    /// Says that it holds so many bytes, until the next body was taken.
    package func claim(_ bytes: Int64) {
        isTampered = true
        claimed = max(0, min(bytes, Self.largestClaim))
    }

    /// Notes that a fault answered in its place, so that its client may have been misled.
    package func noteForgedAnswer() { isTampered = true }
}
