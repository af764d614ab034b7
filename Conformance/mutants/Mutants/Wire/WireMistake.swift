package import CloudStorage

/// One thing that a client does wrong with its requests, or with what comes back.
package enum WireMistake: Hashable, Sendable {
    /// A broken upload goes on where the client believes it was, without asking.
    case asksNothing
    /// Each question what the server holds is answered with this number of bytes, unasked.
    case believes(Int64)
    /// A refused request is sent once more.
    case repeats(status: Int)
    /// Header fields of answers that are not read.
    case readsNo([String], of: Set<RequestKind>)
    /// An answer with this status is taken for another.
    case mistakes(Int, for: Int)
    /// Each start request is sent twice, and the second session used.
    case startsTwice
    /// Requests with a range are sent without it.
    case ignoresRange
    /// Ranges begin so many bytes away from where they should.
    case shiftsRange(by: Int64)
    /// A request that was given up is sent again.
    case goesOn(after: Duration)
    /// The second body says a wrong place in the object.
    case shiftsOffset(by: Int64)
    /// The `n`th body is sent once more after it was answered.
    case sendsAgain(body: Int)
    /// Every body is read from the beginning of the source.
    case sendsTheBeginning
    /// The server is not told of a cancel.
    case keepsCancelToItself
    /// A body of JSON goes out without its fields.
    case sendsEmptyObject(RequestKind)
    /// A part of the URL that is replaced.
    case replaces(String, with: String, of: RequestKind)
    /// A request that is never sent, and never answered.
    case loses(RequestKind)
    /// A request that goes out as the command of another.
    case commands(String, as: String)
}
