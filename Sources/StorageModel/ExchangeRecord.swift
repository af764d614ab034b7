/// One request and its answer as the server saw them: a line of the journal.
package struct ExchangeRecord: Hashable, Sendable {
    package enum Ending: String, Hashable, Sendable {
        /// The answer was handed over whole.
        case complete
        /// The client closed or reset its connection first.
        case clientLeft = "client-left"
        /// A fault ended the connection.
        case disconnected
        /// Still under way, or given up when the server stopped.
        case open
    }

    /// 1, 2, ... in the order in which the server read the heads.
    package var ordinal: Int
    /// 1, 2, ... in the order in which the heads arrived: in virtual time they may wait before they
    /// are read on; nil where nobody counted.
    package var arrival: Int?
    /// 1, 2, ... in the order in which connections were accepted.
    package var connection: Int
    /// True when an earlier exchange used the same connection.
    package var isReused = false
    package var operation: Operation
    package var method: String
    /// The raw request target; credentials in its query are replaced by `present`.
    package var target: String
    /// Credentials are replaced by `present`.
    package var requestHeaders: HTTPHeaders
    package var bucket: String?
    /// The object's path, unescaped; for `list` the prefix.
    package var path: String?
    /// Ordinal of the upload session that the request names, from 1.
    package var session: Int?
    /// Ordinal of the transfer that it belongs to, from 1; nil for operations without an object.
    package var transfer: Int?
    /// First object byte of the body, or first byte of the range asked for.
    package var offset: Int64?
    /// Declared length of the request's body.
    package var length: Int64?
    /// Size of the whole object that the request announces, if it does.
    package var declaredSize: Int64?
    /// Members of a JSON body by their paths, as `metadata.mood`; scalars by their text.
    package var json: [String: String] = [:]
    /// Received size of the upload session that the answer told.
    package var reported: Int64?
    /// Name of the known token that came, if any.
    package var token: String?
    package var hasCredentials = false
    /// Request body bytes read.
    package var received: Int64 = 0
    /// Object bytes of this request that the server keeps.
    package var committed: Int64 = 0
    /// Response body bytes handed to the kernel.
    package var sent: Int64 = 0
    /// Status sent to the client; nil when it got none.
    package var status: Int?
    package var start: Duration
    package var end: Duration?
    package var ending = Ending.open
    package var faults: [FiredFault] = []
    /// How the TLS handshake of a connection ended; nil where nothing is to be said about it.
    package var handshake: String?
    package var complaints: [Complaint] = []
    /// True when it came while a body of the same upload session was being received.
    package var overlaps = false
    /// Ordinal of the exchange that this one repeats without the client's doing.
    package var resendOf: Int?

    package init(
        ordinal: Int, connection: Int, operation: Operation, method: String, target: String,
        requestHeaders: HTTPHeaders = [:], start: Duration = .zero
    ) {
        self.ordinal = ordinal
        self.connection = connection
        self.operation = operation
        self.method = method
        self.target = target
        self.requestHeaders = requestHeaders
        self.start = start
    }
}
