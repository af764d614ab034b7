package import StorageModel

extension StorageEngine {
    /// The answer to a plain GET, or how the connection failed.
    package enum Fetched: Sendable {
        case answer(status: Int, headers: HTTPHeaders, body: [UInt8])
        case failure(TransportFault?, message: String)
    }

    /// Fetches a URL as anybody would: one GET without credentials, not repeated. On the loop.
    ///
    /// - Parameter completion: called once, on the loop.
    package func fetch(url: String, _ completion: @escaping (Fetched) -> Void) {
        let sink = FetchSink(completion)
        _ = transport.start(
            TransportRequest(
                method: "GET", url: url, idleTimeout: idleTimeout, connectTimeout: idleTimeout),
            sink)
    }
}

/// Collects one answer; the transport keeps it until the end.
private final class FetchSink: TransportSink {
    private var head = ResponseHead(status: 0)
    private var body: [UInt8] = []
    private let completion: (StorageEngine.Fetched) -> Void

    init(_ completion: @escaping (StorageEngine.Fetched) -> Void) {
        self.completion = completion
    }

    func received(_ head: ResponseHead) { self.head = head }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        body += bytes
        return true
    }

    func ended(_ failure: TransportFailure?) {
        if let failure {
            completion(.failure(failure.fault, message: failure.message))
        } else {
            completion(.answer(status: head.status, headers: head.headers, body: body))
        }
    }
}
