package import StorageModel

/// What faults and triggers look at in an exchange, as far as it is known when its head was read.
package struct ExchangeFacts: Hashable, Sendable {
    package var operation: Operation
    package var method: String
    /// The raw request target.
    package var target: String
    package var headers: HTTPHeaders
    package var bucket: String?
    package var path: String?
    /// Name of the known token that came.
    package var token: String?
    /// Ordinal of the upload session that the request names, from 1.
    package var session: Int?
    /// Ordinal of the connection, from 1.
    package var connection: Int
    package var isReused = false
    /// When the head was read.
    package var time: Duration
    package var transfer: TransferID?
    /// True when the request is known to finish its transfer.
    package var isLast = false
    /// True where a redirect has sent the client here, so that it is not sent on for ever.
    package var isRedirected = false
    /// False for a request that finishes an upload without bringing bytes.
    package var carriesBytes = true
    /// First object byte of the body, or of the range asked for.
    package var offset: Int64?
    /// Declared length of the request's body.
    package var length: Int64?

    package init(
        operation: Operation, method: String = "GET", target: String = "/",
        headers: HTTPHeaders = [:], connection: Int, time: Duration = .zero
    ) {
        self.operation = operation
        self.method = method
        self.target = target
        self.headers = headers
        self.connection = connection
        self.time = time
    }
}

/// Names what ordinals and `times` are counted for.
package enum CountingKey: Hashable, Sendable {
    case run
    case connection(Int)
    case object(bucket: String, path: String)
    case transfer(TransferID)

    init(_ scope: CountingScope, _ facts: ExchangeFacts) {
        switch scope {
        case .run: self = .run
        case .connection: self = .connection(facts.connection)
        case .object:
            guard let bucket = facts.bucket, let path = facts.path else {
                self = .run
                return
            }
            self = .object(bucket: bucket, path: path)
        case .transfer: self = facts.transfer.map(CountingKey.transfer) ?? .run
        }
    }

    /// A text that does not depend on the order in which transfers of other objects began.
    var seedText: String {
        switch self {
        case .run: ""
        case .connection(let ordinal): "connection \(ordinal)"
        case .object(let bucket, let path): "\(bucket)/\(path)"
        case .transfer(let id): "\(id.bucket)/\(id.path) \(id.direction.rawValue) \(id.number)"
        }
    }
}
