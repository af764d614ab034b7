/// How many bytes of a request's body a session keeps.
package enum KeptBytes: Hashable, Sendable {
    /// All that came, up to the last whole granularity unit of the object: what production does
    /// when a connection breaks.
    case wholeUnits
    case none
    case all
    /// Bytes of this body; never more than came.
    case exactly(Int64)
    /// 0 to 100, of the body's declared length (of what came, where none was declared).
    case percent(Double)
    /// All that came and so many bytes beyond, which are then zeros: a lie.
    case more(Int64)
    /// The body's bytes two times: a lie.
    case twice

    /// True where the session afterwards holds what the client never sent.
    package var isLie: Bool {
        switch self {
        case .more, .twice: true
        case .wholeUnits, .none, .all, .exactly, .percent: false
        }
    }

    /// How many of the bytes that came are kept (without those that are made up).
    ///
    /// - Parameters:
    ///   - received: bytes of the body that came.
    ///   - declared: the body's declared length, if any.
    ///   - start: the object byte at which the body begins.
    package func count(
        received: Int64, declared: Int64?, start: Int64, granularity: Int64
    ) -> Int64 {
        switch self {
        case .wholeUnits:
            max(0, min(received, (start + received) / granularity * granularity - start))
        case .none: 0
        case .all, .more, .twice: received
        case .exactly(let bytes): max(0, min(received, bytes))
        case .percent(let percent):
            max(0, min(received, Int64(Double(declared ?? received) * percent / 100)))
        }
    }
}
