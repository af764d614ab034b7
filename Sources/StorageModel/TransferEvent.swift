/// One call of an observer, as the client reported it (rules D16-D22).
package struct TransferEvent: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case resume
        case progress
        case pause
        case success
        case failure

        package var isTerminal: Bool { self == .success || self == .failure }
    }

    package var kind: Kind
    /// Bytes completed at that moment.
    package var completed: Int64
    /// Total bytes; nil where the client does not know it.
    package var total: Int64?
    package var error: ClientError?
    /// Fields of the snapshot's metadata by their wire names, custom fields as `metadata.KEY`.
    package var metadata: [String: String]?
    /// On the scenario's clock, from its start.
    package var time: Duration
    /// How many request heads had arrived at the server when it was recorded; nil where nobody
    /// counted.
    package var headsBefore: Int?

    package init(
        kind: Kind, completed: Int64 = 0, total: Int64? = nil, error: ClientError? = nil,
        metadata: [String: String]? = nil, time: Duration = .zero
    ) {
        self.kind = kind
        self.completed = completed
        self.total = total
        self.error = error
        self.metadata = metadata
        self.time = time
    }
}
