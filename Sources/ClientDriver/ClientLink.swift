/// The client's end of a driver that speaks lines: a process with its pipes, or a client that dials in.
///
/// Confined to the loop. It lives until `onEnd` was called; closures are called on the loop.
package protocol ClientLink: AnyObject {
    /// The process, where the client is one of ours.
    var pid: Int32? { get }

    /// What the client says: lines, in pieces of any size.
    var onOutput: (UnsafeRawBufferPointer) -> Void { get set }
    /// The client's own log.
    var onErrorOutput: (UnsafeRawBufferPointer) -> Void { get set }
    /// The client says nothing more, and has not ended yet.
    var onOutputEnd: () -> Void { get set }
    /// The client does not read any more, and has not ended yet.
    var onInputEnd: () -> Void { get set }
    /// Called last, when nothing is left of the client, or of what it was to this driver.
    var onEnd: (LinkEnding) -> Void { get set }

    func write(_ bytes: some Sequence<UInt8>)
    /// Tells the client that nothing more comes; what was written before is still delivered.
    func closeInput()

    /// Hands over what is there now: so that a deadline is not missed by our own lateness.
    func readNow()
    /// There is something that was not handed over yet.
    var hasOutput: Bool { get }
    /// Hands over a part of it.
    func readBlock()
    /// The client does not read or write any more, and has not ended; which of both.
    var isPipeClosed: Bool { get }
    var isOutputOpen: Bool { get }
    /// How long the client was ready to run and the machine did not let it.
    var starvation: Duration { get }
    /// The client runs, or would if the machine let it: its starvation grows only once it does.
    var isRunnable: Bool { get }
    func readErrorOutputNow()

    /// What the client is about to be ended for.
    func blamed(_ misbehaviour: ClientMisbehaviour)
    /// Ends the client, first politely.
    func terminate()
    /// Ends it without notice.
    func killNow()
    /// It was ended by us.
    var isTerminated: Bool { get }
    /// For a loop that does not run any more: ends it here and now.
    func abandon()

    /// What is to be said of a client that has let a deadline pass, where the link knows more than
    /// that; nil: it does not.
    func reasonForSilence() -> ClientMisbehaviour?
}

extension ClientLink {
    package var onInputEnd: () -> Void {
        get { {} }
        set {}
    }
    package var hasOutput: Bool { false }
    package func readBlock() {}
    package var isPipeClosed: Bool { false }
    package var isOutputOpen: Bool { true }
    package var starvation: Duration { .zero }
    package var isRunnable: Bool { false }
    package var isTerminated: Bool { false }
    package func blamed(_ misbehaviour: ClientMisbehaviour) {}

    package func reasonForSilence() -> ClientMisbehaviour? { nil }
}

/// How a client ended.
package enum LinkEnding: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// A client that is no process of ours: what it did, as a message says it.
    case left(String)
}

/// Why there is no link to a client.
package struct LinkFailure: Error, Hashable, Sendable {
    package let problem: String

    package init(problem: String) { self.problem = problem }
}
