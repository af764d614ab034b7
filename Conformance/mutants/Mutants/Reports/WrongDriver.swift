package import ClientDriver
package import EventLoop
import Foundation
import ReferenceDriver
import StorageModel

/// A client with one mistake: it falsifies what passes between the runner and the client behind it.
package final class WrongDriver: ClientDriver {
    package let loop: EventLoop
    private let honest: any ClientDriver
    private let mistake: Mistake
    private var ear: Ear?

    package init(_ honest: any ClientDriver, _ mistake: Mistake) {
        loop = honest.loop
        self.honest = honest
        self.mistake = mistake
    }

    package func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        // Whatever it leaves undone, it says that it does it.
        honest.hello { result in
            reply(
                result.map { hello in
                    var hello = hello
                    hello.capabilities = ReferenceDriver.capabilities
                    return hello
                })
        }
    }

    package func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        var configuration = configuration
        mistake.settings(&configuration.settings)
        let ear = Ear(loop, sink, mistake.telling)
        self.ear = ear
        honest.configure(configuration, sink: ear, reply)
    }

    package func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        ear?.history.commands.append(command)
        switch mistake.hearing(command) {
        case .obeys(let command): honest.perform(command, reply)
        case .ignores: answer(reply, [])
        case .hangs: break
        case .answers(let given):
            let work = OnThisLoop { reply(given) }
            loop.post { work.run() }
        case .dies: ear?.misbehaved(.crashed(signal: 11, command: "upload"))
        case .invents(let tale): answer(reply, tale)
        }
    }

    private func answer(_ reply: @escaping (ClientReply) -> Void, _ tale: [Mistake.Report]) {
        let work = OnThisLoop { [ear] in
            reply(.result(.done))
            for report in tale { ear?.tell(report) }
        }
        loop.post { work.run() }
    }

    package func sync(_ reply: @escaping (ClientReply) -> Void) { honest.sync(reply) }

    package func end(_ reply: @escaping (ClientReply) -> Void) {
        ear?.close()
        honest.end(reply)
    }

    package func stop(_ reply: @escaping () -> Void) { honest.stop(reply) }
}

/// Stands between the honest client and the runner.
private final class Ear: ClientSink, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let loop: EventLoop
    private var runner: (any ClientSink)?
    private let telling: Mistake.Telling
    var history = Mistake.History()

    init(_ loop: EventLoop, _ runner: any ClientSink, _ telling: @escaping Mistake.Telling) {
        self.loop = loop
        self.runner = runner
        self.telling = telling
    }

    func close() { runner = nil }

    func observed(_ event: TransferEvent, task: String, observer: String?) {
        if observer != nil {
            runner?.observed(event, task: task, observer: observer)
        } else {
            hear(.event(event, task: task))
        }
    }

    func completed(_ completion: TaskCompletion, task: String) {
        hear(.completion(completion, task: task))
    }

    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        runner?.asked(question, answer: answer)
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) { runner?.misbehaved(misbehaviour) }

    private func hear(_ report: Mistake.Report) {
        for told in telling(report, history) { tell(told) }
        history.reports.append(report)
    }

    func tell(_ report: Mistake.Report) {
        switch report {
        case .event(var event, let task):
            event.time = loop.now
            runner?.observed(event, task: task, observer: nil)
        case .completion(var completion, let task):
            completion.time = loop.now
            runner?.completed(completion, task: task)
        case .file(let path, let bytes):
            _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        case .later(let delay, let report):
            _ = loop.timer(after: delay) { [self] in tell(report) }
        }
    }
}

/// Carries a closure through one that may be called anywhere.
private struct OnThisLoop: @unchecked Sendable {
    // Invariant: made and run on one loop's thread.
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}
