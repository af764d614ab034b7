package import EventLoop

/// How a client under test is commanded.
///
/// Confined to its loop: every call is made there and every closure is called there, each exactly
/// once, never before the call has returned. One scenario is: `configure`, `perform` and `sync` as often as
/// wanted, `end`. Commands are begun in the order of the calls; their replies may come in any order.
///
/// `upload` and `download` are answered when the call returned, every other verb when its result
/// is there; a command with a moment, when it was carried out there.
package protocol ClientDriver: AnyObject {
    var loop: EventLoop { get }

    /// Starts the client if it is not running, and asks what it can do.
    func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void)

    /// Begins a scenario. The sink is held until `end` was answered.
    func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void)

    func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void)

    /// Answered with `done` once every callback that was queued so far has run.
    func sync(_ reply: @escaping (ClientReply) -> Void)

    /// Ends the scenario: the client lets go of its tasks, and nothing is reported any more.
    /// Answered also by a client that is gone; the next `configure` starts it again.
    func end(_ reply: @escaping (ClientReply) -> Void)

    /// From now on every line to and from the client is shown to this one; nil: to nobody. A client in
    /// process has no lines.
    func record(with recorder: (any LineRecorder)?)

    /// Ends the client for good; when it is answered, nothing of it is left.
    func stop(_ reply: @escaping () -> Void)

    // MARK: Wall time: clients outside this process

    /// The deadline of the scenario has passed: reads what the client has said until now, and tells
    /// the sink of it as a misbehaviour if it owes an answer that was due at once.
    func expire(_ deadline: Duration, _ reply: @escaping () -> Void)

    /// How long the client has wanted to run, since it was started, while the machine did not let
    /// it; a wait that this made longer proves nothing.
    var starvation: Duration { get }

    /// The tail of what the client wrote to its own log in the scenario that is running or was the
    /// last; of one that could not begin, since the client was started.
    var errorOutput: [UInt8] { get }

    /// How the client misbehaved since its last scenario was over; each is told once.
    func takeAftermath() -> [ClientMisbehaviour]
}

extension ClientDriver {
    package func expire(_ deadline: Duration, _ reply: @escaping () -> Void) {
        loop.realTimer(after: .zero, reply)
    }

    package var starvation: Duration { .zero }
    package var errorOutput: [UInt8] { [] }
    package func takeAftermath() -> [ClientMisbehaviour] { [] }
}

extension ClientDriver {
    package func record(with recorder: (any LineRecorder)?) {}
}

extension ClientMisbehaviour: Error {}
