/// Bytes against time: where the next stop of a paced body is, and when it may be passed.
struct Pace {
    /// Body bytes that had passed when the pace began.
    let origin: Int64
    /// The time when it began.
    let start: Duration
    /// Bytes between two stops; 1 or more.
    let piece: Int64
    /// The time that a piece takes.
    let time: Duration

    /// Before it is known where it begins.
    enum Kind: Hashable {
        /// Bytes a second.
        case rate(Int64)
        case slices(size: Int64, gap: Duration)

        func pace(origin: Int64, start: Duration) -> Pace {
            switch self {
            case .rate(let rate): Pace(rate: rate, origin: origin, start: start)
            case .slices(let size, let gap):
                Pace(size: size, gap: gap, origin: origin, start: start)
            }
        }

        /// How long so many bytes take that are there already.
        func time(of count: Int) -> Duration {
            switch self {
            case .rate(let rate): .nanoseconds(Int64(Double(count) / Double(rate) * 1e9))
            case .slices(let size, let gap):
                gap * Int((Int64(count) + max(1, size) - 1) / max(1, size) - 1)
            }
        }
    }

    /// A steady rate, in pieces of about 50 ms.
    init(rate: Int64, origin: Int64, start: Duration) {
        self.origin = origin
        self.start = start
        piece = max(1, rate / 20)
        time = .nanoseconds(Int64(Double(piece) / Double(rate) * 1e9))
    }

    /// Pieces of a size with a gap between them.
    init(size: Int64, gap: Duration, origin: Int64, start: Duration) {
        self.origin = origin
        self.start = start
        piece = max(1, size)
        time = gap
    }

    /// The same from the body's start and a moment on.
    func beginning(at start: Duration) -> Pace {
        Pace(origin: 0, start: start, piece: piece, time: time)
    }

    private init(origin: Int64, start: Duration, piece: Int64, time: Duration) {
        self.origin = origin
        self.start = start
        self.piece = piece
        self.time = time
    }

    /// The first stop behind an offset.
    func stop(after offset: Int64) -> Int64 {
        origin + ((offset - origin) / piece + 1) * piece
    }

    func isStop(_ offset: Int64) -> Bool { offset > origin && (offset - origin) % piece == 0 }

    /// The earliest time at which bytes behind the offset may flow.
    func due(at offset: Int64) -> Duration { start + time * Int((offset - origin) / piece) }
}
