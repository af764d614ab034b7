/// Gathers a whole answer in memory: for everything but the content of objects. Confined to the loop.
final class ReplyCollector: TransportSink, @unchecked Sendable {
    /// Bytes of a body that are kept; what goes beyond is read and dropped.
    private static let limit = 16 << 20

    private var head: ResponseHead?
    private var body: [UInt8] = []
    private var completion: ((Result<StorageReply, TransportFailure>) -> Void)?

    init(_ completion: @escaping (Result<StorageReply, TransportFailure>) -> Void) {
        self.completion = completion
    }

    func received(_ head: ResponseHead) { self.head = head }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        body.append(contentsOf: bytes.prefix(Self.limit - body.count))
        return true
    }

    func ended(_ failure: TransportFailure?) {
        let completion = completion
        self.completion = nil
        completion?(Self.result(head, body, failure))
    }

    /// A refusal whose head is whole counts as an answer, whatever happened to the rest: what the
    /// server said explains more than how the connection broke.
    static func result(
        _ head: ResponseHead?, _ body: [UInt8], _ failure: TransportFailure?
    ) -> Result<StorageReply, TransportFailure> {
        if let head, failure == nil || head.status >= 400 {
            return .success(StorageReply(status: head.status, headers: head.headers, body: body))
        }
        return .failure(failure ?? TransportFailure(message: "there was no answer"))
    }
}
