internal import StorageModel

extension UploadMachine {
    enum Step: Hashable, Sendable {
        case start
        case query
        /// Bytes of the object; the last body finishes the object, and may be empty.
        case body(offset: Int64, length: Int64, isLast: Bool)
        /// The object is stored, and its resource is still unknown.
        case metadata

        /// True where what is to be uploaded has to be there.
        var needsSource: Bool {
            switch self {
            case .start: true
            case .body(_, let length, _): length > 0
            case .query, .metadata: false
            }
        }

        /// True for a request to the session's own address.
        var isOfSession: Bool {
            switch self {
            case .start, .metadata: false
            case .query, .body: true
            }
        }

        /// True for a request that makes the object.
        var isLastBody: Bool {
            if case .body(_, _, isLast: true) = self { true } else { false }
        }
    }

    enum Action: Equatable, Sendable {
        case send(Step)
        /// Have the bytes from `from` on at hand, as many that they end behind `beyond`, or all that
        /// there are; then call `gathered`. What is before `from` is not needed any more.
        case gather(from: Int64, beyond: Int64)
        /// Ask for a new token, then send; without a new one `tokenRefused` follows.
        case refreshToken(Step)
        case wait(Duration, Step)
        case waitAndFail(Duration, StorageFailure)
        /// The server holds this many bytes.
        case progressed(Int64)
        /// Stored; the checksums are still to be compared.
        case succeed(MetadataFields)
        /// Something is stored, by this upload as it seems: compare, then call `compared`.
        case compare(MetadataFields)
        case fail(StorageFailure)
    }

    struct Session: Hashable, Sendable {
        var url: String
        var granularity: Int64
        /// When it began on the server's clock, in milliseconds since 1970; nil where it did not say.
        var began: Int64?
        /// Begun by an earlier process: nobody here knows what was sent.
        var isEarlier = false
    }

    /// How the bytes can be had.
    enum Supply: Hashable, Sendable {
        /// All of them, as often as needed.
        case atHand
        /// One after the other; what was acknowledged is gone, unless all can come again.
        case stream(isRepeatable: Bool)
    }
}

extension StorageBehaviour.Recovery {
    /// What is sent next.
    ///
    /// - Parameter body: the one that was cut off, or that would come next.
    func step(insteadOf body: UploadMachine.Step) -> UploadMachine.Step {
        switch self {
        case .asks: .query
        case .repeats: body
        case .beginsAnew: .start
        }
    }
}
