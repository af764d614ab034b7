package import StorageModel

/// What the engine asks and tells while connections and exchanges live. Every call comes on the loop.
///
/// An exchange walks through its points in the order of `ExchangePoint`. At each the handler says how
/// it goes on; `.wait` keeps it there until `HTTPExchange.proceed()`, which asks the same point again.
package protocol ExchangeHandler: AnyObject, Sendable {
    /// A connection was accepted and nothing was read from it. Asked again after `wait`.
    func accepted(_ connection: ConnectionID) -> AcceptVerdict

    /// How a connection that was accepted is taken into TLS. Asked behind `accepted`, where the engine
    /// speaks TLS.
    func tlsPlan(for connection: ConnectionID) -> TLSPlan

    /// How that ended; said once, before anything is read through TLS.
    func handshakeEnded(_ connection: ConnectionID, _ ending: HandshakeEnding)

    /// The connection is gone; no exchange of it is under way on the wire. Said once for each
    /// connection, whatever its verdict was, also for those beyond the limit, about which `accepted`
    /// is not asked.
    func closed(_ connection: ConnectionID)

    /// The exchange stands at a point: what now?
    func reached(_ exchange: HTTPExchange, _ point: ExchangePoint) -> ExchangeVerdict

    /// Request body bytes, in order, never beyond the next stop; valid during the call only.
    func received(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer)

    /// The client closed or reset its connection; also seen while the exchange waits. An exchange whose
    /// body was read whole goes on through `requestEnd` and `responseHead` and ends then, as nothing
    /// of its answer can be sent; any other ends next.
    func clientLeft(_ exchange: HTTPExchange)

    /// The exchange is over. Said exactly once for each exchange of which the head was reported.
    func ended(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending)

    /// What a client sent is no HTTP request; there is no exchange, and its connection ends.
    func refused(_ request: BrokenRequest)

    /// The place of the exchange among those that wait at the door (virtual time only).
    func doorKey(_ exchange: HTTPExchange) -> DoorKey
}

extension ExchangeHandler {
    package func tlsPlan(for connection: ConnectionID) -> TLSPlan { TLSPlan() }

    package func handshakeEnded(_ connection: ConnectionID, _ ending: HandshakeEnding) {}

    package func refused(_ request: BrokenRequest) {}
}

/// Names a connection: 1, 2, ... in the order in which they were accepted.
package struct ConnectionID: Hashable, Sendable, Comparable {
    package let ordinal: Int

    package init(ordinal: Int) { self.ordinal = ordinal }

    package static func < (one: ConnectionID, other: ConnectionID) -> Bool {
        one.ordinal < other.ordinal
    }
}

/// What happens to a connection before a byte of it is read.
package enum AcceptVerdict: Hashable, Sendable {
    case proceed
    /// Stay until `HTTPEngine.proceed`; then `accepted` is asked again.
    case wait
    /// These steps are carried out on it, then it is closed.
    case adopt([WireStep])
    /// FIN at once.
    case close
    /// RST at once.
    case reset
    /// Kept open; nothing is ever read or sent.
    case silence
    /// These bytes, then FIN. What the client sends is read and thrown away.
    case send([UInt8])
}

/// A moment in the life of an exchange.
package enum ExchangePoint: Hashable, Sendable {
    /// The head was read; the body is untouched.
    case head
    /// Exactly so many body bytes were received: one of the exchange's `requestStops`.
    case requestBody(Int64)
    /// The whole request was read. The answer is asked for here, unless it was given early.
    case requestEnd
    /// The answer is known and nothing of it was sent.
    case responseHead
    /// Exactly so many body bytes were sent: one of the exchange's `responseStops`.
    case responseBody(Int64)
    /// The whole answer was handed to the kernel.
    case responseEnd
    /// Wherever it stands and whatever flows: `HTTPExchange.interrupt()` was called. `proceed` leads
    /// back to where it stood; an answer is an early one, and has no effect when one is on its way.
    case interrupted
}

/// How an exchange goes on from a point.
package enum ExchangeVerdict: Sendable {
    /// On to the next point. (At `requestEnd` there must be an answer: without one it is a 500.)
    case proceed
    /// Stay until `HTTPExchange.proceed()`; then the same point is asked again.
    case wait
    /// The answer. At `head` and `requestBody` it is an early one: it is sent at once, and the rest of
    /// the body is read and thrown away. At `responseHead` it replaces the answer.
    case respond(HTTPResponse)
    case disconnect(Disconnection)
    /// Nothing more is read or sent, and the peer is not told.
    case silence
    /// The connection leaves HTTP: these steps are carried out on it, then it is closed.
    case adopt([WireStep])
    /// At `requestEnd`, in wall time: an answer whose body comes bit by bit, and whose end nobody knows
    /// yet. The exchange stops nowhere any more.
    case stream(LiveAnswer)
}

/// How the server ends a connection, always after exactly the bytes before the point.
package enum Disconnection: Hashable, Sendable {
    /// FIN; what still comes is read and thrown away, so that no RST takes its place.
    case close
    /// RST, as soon as everything before it has left for the peer.
    case reset
    /// RST at once: what has not left for the peer is lost.
    case abort
    /// FIN, and the connection stays until the client closes it.
    case half
}

/// The order of those that wait at the door: by lane, then by number.
package struct DoorKey: Hashable, Sendable, Comparable {
    package let lane: String
    package let number: Int

    package init(lane: String, number: Int) {
        self.lane = lane
        self.number = number
    }

    package static func < (one: DoorKey, other: DoorKey) -> Bool {
        (one.lane, one.number) < (other.lane, other.number)
    }
}
