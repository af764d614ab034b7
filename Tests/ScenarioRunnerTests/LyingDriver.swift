import ClientDriver
import EventLoop
import ReferenceDriver
import ScenarioRunner
import StorageModel

/// The reference client behind a driver that tells lies: what a wrong client would report.
final class LyingDriver: ClientDriver {
    /// Changes what is reported. Called on the loop; nil: the report is swallowed.
    struct Lies: Sendable {
        var event: @Sendable (TransferEvent) -> [TransferEvent] = { [$0] }
        var completions = 1
        var misbehaves: ClientMisbehaviour?
        /// What it did since the end of the scenario before; asked at the end of each, and at its own.
        var aftermath: @Sendable () -> [ClientMisbehaviour] = { [] }
        /// How late reports come that follow the first pause; completions are as late as an end.
        var lateAfterPause: @Sendable (TransferEvent.Kind) -> Duration = { _ in .zero }
        /// How long after its answer it does what a cancel asks for, on the wall clock.
        var cancelsAfter = Duration.zero
        var hello: @Sendable (inout ClientHello) -> Void = { _ in }
    }

    private struct Late: @unchecked Sendable {
        // Invariant: made and run on the loop's thread.
        let work: () -> Void
    }

    private final class Sink: ClientSink {
        let inner: any ClientSink
        let lies: Lies
        private let loop: EventLoop
        private var hasPaused = false

        init(_ inner: any ClientSink, _ lies: Lies, _ loop: EventLoop) {
            self.inner = inner
            self.lies = lies
            self.loop = loop
        }

        private func report(_ kind: TransferEvent.Kind, _ work: @escaping () -> Void) {
            let delay = hasPaused ? lies.lateAfterPause(kind) : .zero
            if kind == .pause { hasPaused = true }
            guard delay > .zero else { return work() }
            let late = Late(work: work)
            loop.timer(after: delay) { late.work() }
        }

        func observed(_ event: TransferEvent, task: String, observer: String?) {
            if let misbehaviour = lies.misbehaves { return inner.misbehaved(misbehaviour) }
            for event in lies.event(event) {
                report(event.kind) { [inner] in
                    inner.observed(event, task: task, observer: observer)
                }
            }
        }

        func completed(_ completion: TaskCompletion, task: String) {
            for _ in 0..<lies.completions {
                report(.success) { [inner] in inner.completed(completion, task: task) }
            }
        }

        func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
            inner.asked(question, answer: answer)
        }

        func misbehaved(_ misbehaviour: ClientMisbehaviour) { inner.misbehaved(misbehaviour) }
    }

    let loop: EventLoop
    private let inner: ReferenceDriver
    private let lies: Lies
    /// The client holds its sink weakly.
    private var sink: Sink?

    init(loop: EventLoop, lies: Lies) {
        self.loop = loop
        self.lies = lies
        inner = ReferenceDriver(loop: loop)
    }

    static func source(_ lies: Lies) -> ClientSource {
        ClientSource(isKept: false) { LyingDriver(loop: $0, lies: lies) }
    }

    func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        inner.hello { [lies] result in
            reply(
                result.map { hello in
                    var hello = hello
                    lies.hello(&hello)
                    return hello
                })
        }
    }

    func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        let lying = Sink(sink, lies, loop)
        self.sink = lying
        inner.configure(configuration, sink: lying, reply)
    }

    func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        guard case .cancel = command.verb, lies.cancelsAfter > .zero else {
            return inner.perform(command, reply)
        }
        reply(.result(.done))
        loop.realTimer(after: lies.cancelsAfter) { [inner] in inner.perform(command) { _ in } }
    }

    func sync(_ reply: @escaping (ClientReply) -> Void) { inner.sync(reply) }
    func end(_ reply: @escaping (ClientReply) -> Void) { inner.end(reply) }
    func stop(_ reply: @escaping () -> Void) { inner.stop(reply) }
    func takeAftermath() -> [ClientMisbehaviour] { lies.aftermath() }
}
