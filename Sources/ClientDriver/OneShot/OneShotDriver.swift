package import EventLoop
import StorageModel

/// Drives a command-line tool that knows no protocol: each command is one start of it.
///
/// A transfer's `resume` is the start of the process, and its end follows from the exit code; between
/// the two nothing is known, so that a profile for such a client says `progress-events: none`.
package final class OneShotDriver: ClientDriver {
    package let loop: EventLoop
    let tool: OneShotTool
    private let limits: StdioDriver.Limits
    var scenario: Scenario?
    private var errorLog: ErrorLog
    private var runs: [Int: OneShotProcess] = [:]
    private var lastRun = 0
    private var whenIdle: [() -> Void] = []
    private var version: String?
    var spooled = 0

    struct Scenario {
        let configuration: ClientConfiguration
        let sink: any ClientSink
        var isSignedIn: Bool
        var transfers: [String: OneShotProcess] = [:]
        var hasMisbehaved = false
    }

    package init(
        loop: EventLoop, tool: OneShotTool, limits: StdioDriver.Limits = StdioDriver.Limits()
    ) {
        self.loop = loop
        self.tool = tool
        self.limits = limits
        errorLog = ErrorLog(limit: limits.errorOutput)
    }

    package var errorOutput: [UInt8] { errorLog.recent }

    // MARK: ClientDriver

    package func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        func answer(_ version: String) {
            self.version = version
            reply(
                .success(
                    ClientHello(
                        name: tool.name, version: version, capabilities: tool.capabilities)))
        }
        if let version { return soon { answer(version) } }
        guard let command = tool.version else { return soon { answer("unknown") } }
        do throws(LinkFailure) {
            try start(command) { report in
                guard case .exited(0) = report.ending else {
                    return reply(.failure(Self.misbehaviour(report.ending, "version")))
                }
                let text = String(decoding: report.output, as: UTF8.self)
                let line = text.split(whereSeparator: \.isNewline).first ?? "unknown"
                answer(String(line.prefix(100)))
            }
        } catch {
            let failure = ClientMisbehaviour.notStarted(
                command: command.words.joined(separator: " "), problem: error.problem)
            soon { reply(.failure(failure)) }
        }
    }

    package func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        scenario = Scenario(
            configuration: configuration, sink: sink,
            isSignedIn: !configuration.settings.tokens.isEmpty)
        errorLog.open(configuration.errorOutputPath)
        soon { reply(.result(.done)) }
    }

    package func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        guard let scenario, !scenario.hasMisbehaved else { return soon { reply(.lost) } }
        guard command.on == nil, command.instance == nil else {
            return refuse("it has no callbacks and one storage", reply)
        }
        switch command.verb {
        case .upload(let upload): self.upload(upload, reply)
        case .download(let download): self.download(download, reply)
        case .cancel(let task, _):
            guard let how = tool.cancel else { return refuse("it cannot be cancelled", reply) }
            scenario.transfers[task]?.cancel(how)
            soon { reply(.result(.done)) }
        case .token(let isSignedIn):
            self.scenario?.isSignedIn = isSignedIn
            soon { reply(.result(.done)) }
        default: operate(command.verb, reply)
        }
    }

    package func sync(_ reply: @escaping (ClientReply) -> Void) {
        soon { reply(.result(.done)) }
    }

    package func end(_ reply: @escaping (ClientReply) -> Void) {
        scenario = nil
        endAll { [weak self] in
            self?.errorLog.close()
            reply(.result(.done))
        }
    }

    package func stop(_ reply: @escaping () -> Void) {
        scenario = nil
        endAll(reply)
    }

    private func endAll(_ done: @escaping () -> Void) {
        for run in runs.values { run.end() }
        if runs.isEmpty { soon(done) } else { whenIdle.append(done) }
    }

    func refuse(_ why: String, _ reply: @escaping (ClientReply) -> Void) {
        soon { reply(.unsupported("a tool that is started for each command: \(why)")) }
    }

    // MARK: Processes

    @discardableResult
    func start(
        _ command: ChildCommand, _ done: @escaping (OneShotProcess.Report) -> Void
    ) throws(LinkFailure) -> OneShotProcess {
        lastRun += 1
        let ordinal = lastRun
        let run = try OneShotProcess(
            loop: loop, command, termGrace: limits.termination, owner: self,
            log: { [weak self] in self?.errorLog.append($0) },
            done: { [weak self] report in
                self?.runs[ordinal] = nil
                done(report)
                self?.becameIdle()
            })
        runs[ordinal] = run
        return run
    }

    private func becameIdle() {
        guard runs.isEmpty else { return }
        let waiting = whenIdle
        whenIdle = []
        for done in waiting { done() }
    }

    func child(_ words: [String]) -> ChildCommand {
        ChildCommand(words, environment: tool.environment, folder: tool.folder)
    }

    /// The words for a piece of work, once its token is there.
    func withWords(
        _ work: OneShotTool.Work, _ values: [OneShotTemplate.Placeholder: String],
        refused: @escaping (ClientError) -> Void, then: @escaping ([String]) -> Void
    ) {
        guard let template = tool.commands[work], let scenario else { return }
        guard template.uses(.token), scenario.isSignedIn else {
            return then(template.words(values))
        }
        scenario.sink.asked(TokenQuestion(refreshes: false)) { answer in
            switch answer {
            case .token(let token):
                then(template.words(values.merging([.token: token]) { $1 }))
            case .none: then(template.words(values))
            case .failure(let text):
                refused(ClientError(code: .unauthenticated, name: "no token", message: text))
            }
        }
    }

    static func misbehaviour(
        _ ending: LinkEnding, _ command: String
    ) -> ClientMisbehaviour {
        switch ending {
        case .exited(let code): .exited(code: code, command: command)
        case .signalled(let signal): .crashed(signal: signal, command: command)
        case .left(let how): .left(how, command: command)
        }
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        guard let sink = scenario?.sink else { return }
        scenario?.hasMisbehaved = true
        sink.misbehaved(misbehaviour)
    }

    /// On the loop, after the caller has returned.
    func soon(_ work: @escaping () -> Void) { loop.realTimer(after: .zero, work) }
}
