package import StorageModel

/// Bytes of a request's body, read when they are needed and as often as needed.
package protocol BodyReader: AnyObject, Sendable {
    /// Fills the buffer from `offset` on; returns how many bytes, fewer only at the end, or nil when
    /// the source can no longer be read.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}

package enum RequestBody: Sendable {
    case none
    case bytes([UInt8])
    /// `length` bytes of a source, from `offset` on.
    case slice(any BodyReader, offset: Int64, length: Int64)

    package var length: Int64 {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .slice(_, _, let length): length
        }
    }
}

package struct TransportRequest: Sendable {
    package var method: String
    /// Absolute.
    package var url: String
    /// What is asked of the service; nil: a request of another kind, with the headers that it has.
    package var kind: RequestKind?
    /// What the headers are made from where there is a kind.
    var values = RequestValues()
    package var headers: HTTPHeaders = [:]
    package var body = RequestBody.none
    /// The file with the authorities that are trusted over HTTPS; nil: the system's.
    var authorityFile: String?
    /// Silence in both directions after which the exchange is given up.
    var idleTimeout = Duration.seconds(60)
    /// The same until the connection is there.
    var connectTimeout = Duration.seconds(60)
}

extension TransportRequest {
    /// A request of the service; its header fields follow when it is sent.
    init(_ kind: RequestKind, url: String, _ values: RequestValues = RequestValues()) {
        self.init(method: kind.method, url: url, kind: kind, values: values)
    }
}

/// The head of a final answer (status 200 or more).
package struct ResponseHead: Hashable, Sendable {
    package var status: Int
    package var headers: HTTPHeaders = [:]

    package init(status: Int, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }
}

/// Why an exchange has no whole answer.
package struct TransportFailure: Error, Hashable, Sendable {
    /// Nil: the cause has no name in the words of the scenarios.
    package var fault: TransportFault?
    package var message: String
    /// True when the request's own body could not be read: trying again does not help.
    package var isLocal = false
    /// True when the receiver wanted no more.
    package var isRefused = false
    /// When the last byte moved, or the exchange began, on the loop's clock.
    package var lastByte: Duration = .zero
    /// The code of the domain `NSURLErrorDomain` that says more than `fault` does; nil: its usual one.
    var urlError: Int?
    /// What the system said, an `errno`; nil: nothing.
    var systemError: Int32?
    /// True when at least a part of the request may have reached the server.
    package var wasSent = false
}

/// Receives one answer, on the loop; nothing comes after `ended`, nothing after a `cancel`.
/// Inside `received` nothing may be started or cancelled.
package protocol TransportSink: AnyObject {
    /// True: no more of the body for now. What comes is left to the connection, until `goOn`.
    var isFull: Bool { get }
    func received(_ head: ResponseHead)
    /// False: no more of it, please; the exchange is aborted and `ended` follows.
    func received(_ bytes: UnsafeRawBufferPointer) -> Bool
    func ended(_ failure: TransportFailure?)
}

extension TransportSink {
    package var isFull: Bool { false }
}

/// Carries requests to servers. Every call is made on the loop.
package protocol HTTPTransport: AnyObject, Sendable {
    /// Never calls the sink before it has returned.
    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int
    /// Aborts an exchange so that the server notices at once; the sink hears nothing more.
    func cancel(_ id: Int)
    /// There is room again for the body of an exchange whose sink was full. The sink may be called
    /// before this has returned.
    func goOn(_ id: Int)
    func shutDown()
}

extension HTTPTransport {
    /// For transports that hold nothing back.
    package func goOn(_ id: Int) {}
}
