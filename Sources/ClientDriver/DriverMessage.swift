package import StorageModel

/// A line from Squall to a client.
package enum CommandMessage: Sendable {
    case hello(id: Int, protocolVersion: Int)
    case configure(id: Int, ClientConfiguration)
    case perform(id: Int, ClientCommand)
    case sync(id: Int)
    case end(id: Int)
    /// The answer to a client's question.
    case token(id: Int, TokenAnswer)
}

/// A line from a client to Squall.
package enum ReportMessage: Hashable, Sendable {
    case hello(id: Int, ClientHello, protocolVersion: Int)
    case reply(id: Int, ClientReply)
    /// The times are zero: who receives the line knows when.
    case event(TransferEvent, task: String, observer: String?)
    case completion(TaskCompletion, task: String)
    case question(id: Int, TokenQuestion)
}
