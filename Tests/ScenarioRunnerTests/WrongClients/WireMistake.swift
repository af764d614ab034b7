import StorageModel

/// One thing that a client does wrong with its requests.
enum WireMistake: Sendable {
    /// A broken upload goes on where the client believes it was, without asking.
    case asksNothing
    /// A refused request is sent once more.
    case repeats(status: Int)
    /// What the answer to a chunk says was kept is not read.
    case readsNoSize
    /// Each start request is sent twice, and the second session used.
    case startsTwice
    /// Requests with a range are sent without it.
    case ignoresRange
    /// A request that was given up is sent again.
    case goesOn(after: Duration)
    /// The second body says a wrong place in the object.
    case shiftsOffset(by: Int64)
    /// The `n`th body is sent once more after it was answered.
    case sendsAgain(body: Int)
    /// The server is not told of a cancel.
    case keepsCancelToItself
}
