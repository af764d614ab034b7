package import StorageModel

/// Where a driver reports what its client says without being asked. All calls come on the loop.
package protocol ClientSink: AnyObject {
    /// An observer was called; `observer` is nil for the recorder that every task has.
    /// The event's time is the loop's `now`.
    func observed(_ event: TransferEvent, task: String, observer: String?)

    /// The completion of a transfer was called.
    func completed(_ completion: TaskCompletion, task: String)

    /// The client asks for a token; `answer` is called once, on the loop, at any later time.
    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void)

    /// The client broke the protocol or is gone: told once, and nothing follows it but `lost`
    /// replies to what is still open.
    func misbehaved(_ misbehaviour: ClientMisbehaviour)
}

/// What a transfer's completion was called with.
package struct TaskCompletion: Hashable, Sendable {
    package enum Received: Hashable, Sendable {
        case bytes([UInt8])
        case file(path: String)
    }

    /// Nil: success.
    package var error: ClientError?
    /// Of an upload that succeeded.
    package var metadata: [String: String]?
    /// Of a download that succeeded.
    package var content: Received?
    /// The loop's `now`.
    package var time: Duration

    package init(
        error: ClientError? = nil, metadata: [String: String]? = nil, content: Received? = nil,
        time: Duration = .zero
    ) {
        self.error = error
        self.metadata = metadata
        self.content = content
        self.time = time
    }
}

package struct TokenQuestion: Hashable, Sendable {
    /// The storage instance; nil: the default one.
    package var instance: String?
    /// The token in hand was refused.
    package var refreshes: Bool

    package init(instance: String? = nil, refreshes: Bool = false) {
        self.instance = instance
        self.refreshes = refreshes
    }
}

package enum TokenAnswer: Hashable, Sendable {
    case token(String)
    /// Nobody is signed in: the request goes without.
    case none
    /// No token could be had; the client's text for it.
    case failure(String)
}
