/// What a client under test is set up with (scenario key `client`).
package struct ClientSettings: Hashable, Sendable {
    package enum TokenAnswer: Hashable, Sendable {
        case give(String)
        case fail(String)
    }

    /// One answer to a client that asks for a token; the last of a list repeats.
    package struct TokenStep: Hashable, Sendable {
        package var after: Duration
        package var answer: TokenAnswer

        package init(after: Duration = .zero, answer: TokenAnswer) {
            self.after = after
            self.answer = answer
        }
    }

    /// Bytes of a chunk; nil: the whole body in one request.
    package var chunkSize: Int64?
    /// Zero: no retries.
    package var maxUploadRetryTime = Duration.seconds(600)
    package var maxDownloadRetryTime = Duration.seconds(600)
    package var maxOperationRetryTime = Duration.seconds(120)
    package var idleTimeout = Duration.seconds(60)
    /// Connections at once; nil: the client's own default.
    package var connections: Int?
    /// Empty: no token.
    package var tokens: [TokenStep] = []
    /// Bucket by the name of a further storage instance.
    package var instances: [String: String] = [:]
    package var processes: [String] = []

    package init() {}
}
