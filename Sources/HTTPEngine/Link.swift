import EventLoop
/// One TCP connection, as long as libmicrohttpd has it.
final class Link {
    let id: ConnectionID
    /// libmicrohttpd's handle.
    let handle: OpaquePointer
    let descriptor: Int32
    /// The exchange under way.
    var exchange: HTTPExchange?
    /// One that was answered whole and whose handler has not let it go.
    var held: HTTPExchange?
    /// Since when no exchange is under way, on the machine's clock.
    var freeSince = EventLoop.monotonic()
    /// Bytes that had come from the client then.
    var receivedBefore: UInt64 = 0
    /// Heads read so far.
    var heads = 0
    /// Says that the connection is suspended, and looks for the client's leaving.
    var watch: PeerWatch?
    /// The raw target of a request whose head never came whole.
    var headlessTarget: String?
    /// libmicrohttpd answered a request by itself, which was told.
    var isRefused = false
    /// Suspended inside the call that announces a head: that call comes once more.
    var isHeadCallDue = false
    /// The client has left while nobody read: libmicrohttpd is to close it.
    var isDead = false
    /// The connection has another owner; what libmicrohttpd has is dead.
    var isTaken = false
    var aside = Aside.no
    /// The connection is closed when the next request comes, before an answer.
    var closesAtNext = false
    /// Ordinal of the newest exchange.
    var newest = 0

    /// Whether we answer in place of libmicrohttpd, which keeps the connection.
    enum Aside {
        case no
        /// We do. What is left of the request is thrown away, then it is suspended.
        case answering
        /// We have. It gets an answer of its own as soon as it has the whole request.
        case answered
        /// That answer goes nowhere; the connection is at this descriptor meanwhile.
        case away(Int32)
    }

    init(id: ConnectionID, handle: OpaquePointer, descriptor: Int32) {
        self.id = id
        self.handle = handle
        self.descriptor = descriptor
    }

    var isSuspended: Bool { watch != nil }

    /// What libmicrohttpd reads of the request is not wanted.
    var isAnsweredByUs: Bool {
        if case .no = aside { return false }
        return !isTaken && !isDead
    }
}

/// What is known of a request before its head was read whole.
final class PendingRequest {
    let link: Link
    /// The raw target.
    let target: String
    /// When its first line was read.
    let began: Duration
    var exchange: HTTPExchange?

    init(link: Link, target: String, began: Duration) {
        self.link = link
        self.target = target
        self.began = began
    }
}
