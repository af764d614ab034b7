/// A place in a body.
package enum ByteOffset: Hashable, Sendable {
    /// Bytes of this body.
    case bytes(Int64)
    /// From 0 to 100, of this body; rounded down to whole bytes.
    case percent(Double)
    /// So many bytes before the end of this body; 0 is the end.
    case beforeEnd(Int64)
    /// Bytes of the object, wherever this body begins in it.
    case object(Int64)

    /// The place in a body, in bytes from its start; nil where the body has no such place.
    ///
    /// - Parameters:
    ///   - length: the body's length; nil while it is unknown.
    ///   - start: the place in the object of the body's first byte; nil when it carries none.
    package func resolved(length: Int64?, start: Int64?) -> Int64? {
        let place: Int64
        switch self {
        case .bytes(let bytes):
            // The byte after the last one is none of this body; its end is `end`.
            if let length, bytes >= length, bytes > 0 { return nil }
            place = bytes
        case .percent(let percent):
            guard let length else { return nil }
            place = Int64((Double(length) * percent / 100).rounded(.down))
        case .beforeEnd(let bytes):
            guard let length else { return nil }
            place = length - bytes
        case .object(let bytes):
            guard let start else { return nil }
            // The end of a body is the start of the next one, which is where it counts.
            guard bytes >= start, bytes < start + (length ?? .max - start) else { return nil }
            place = bytes - start
        }
        guard place >= 0, place <= length ?? .max else { return nil }
        return place
    }
}

/// A moment in the life of an exchange (`at`).
package enum FaultPhase: Hashable, Sendable {
    /// Accepted, no byte read; the only phase of `connect`.
    case connect
    /// The head is read, the body untouched.
    case requestHead
    /// Exactly so many body bytes have come.
    case requestBody(ByteOffset)
    /// The whole request is read, nothing is applied.
    case beforeCommit
    /// Applied, nothing sent.
    case afterCommit
    /// Before the head of the answer is sent.
    case responseHead
    /// Exactly so many body bytes have been sent.
    case responseBody(ByteOffset)
    /// Everything is sent.
    case responseEnd
    /// So long after the end, on the kept connection.
    case idle(Duration)
    /// So long after the head was read, whatever flows.
    case elapsed(Duration)
    /// The send queue has not moved for so long.
    case unread(Duration)
}

/// What the server keeps of the body of a request that a fault cuts.
package enum CommitAmount: Hashable, Sendable {
    case none
    case all
    /// Exactly so many bytes of this request's body.
    case bytes(Int64)
    /// From 0 to 100, of this body as it was announced.
    case percent(Double)
    /// So many bytes more than were sent.
    case more(Int64)
    /// The bytes that came, two times.
    case twice
}
