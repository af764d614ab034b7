package import StorageModel

/// One request and its answer. It outlives the connection it came on.
package final class HTTPExchange: @unchecked Sendable {
    // Invariant: confined to the engine's loop.

    /// 1, 2, ... in the order in which heads were read.
    package let ordinal: Int
    package let connection: ConnectionID
    /// True when an earlier exchange used the same connection.
    package let isReused: Bool
    package let head: HTTPRequestHead
    /// Request body bytes given to the handler.
    package internal(set) var received: Int64 = 0
    /// Response body bytes handed to the kernel.
    package internal(set) var sent: Int64 = 0
    package internal(set) var isClientGone = false
    /// Request body offsets at which the exchange stops, in ascending order; those already passed, and
    /// those beyond the body, have no effect. 0 and the body's length are stops too.
    package var requestStops: [Int64] = []
    /// The same for the bytes of the answer's body.
    package var responseStops: [Int64] = []
    /// The answer, once it is known; may be changed until the end of `responseHead`.
    package var response: HTTPResponse?
    /// True: the answer says `Connection: close`, and the connection is closed after it.
    package var closesConnection = false
    /// For the handler's own use.
    package var state: AnyObject?

    init(ordinal: Int, connection: ConnectionID, isReused: Bool, head: HTTPRequestHead) {
        self.ordinal = ordinal
        self.connection = connection
        self.isReused = isReused
        self.head = head
    }

    /// Asks the point again at which the exchange waits; without effect on one that does not wait.
    package func proceed() {}
}
