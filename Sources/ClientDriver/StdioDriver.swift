package import EventLoop
import StorageModel

/// Drives a client that speaks JSON lines: a child process on its standard input and output, or
/// whatever else there is a link to.
///
/// For loops in wall time. After any misbehaviour the child, its process group and whatever else it
/// started are ended, and the next `configure` starts it anew. Nothing of it outlives `stop`.
package final class StdioDriver: ClientDriver {
    struct Scenario {
        let configuration: ClientConfiguration
        let sink: any ClientSink
        let ordinal: Int
        var stage = Standing.Stage.begun
        var misbehaviour: ClientMisbehaviour?
    }

    package let loop: EventLoop
    private let name: String
    private let open: (StdioDriver) throws(LinkFailure) -> any ClientLink
    let limits: Limits

    var child: (any ClientLink)?
    /// The child is being ended, or has broken the protocol: it is not talked to any more.
    var isChildDoomed = false
    var helloOfChild: ClientHello?
    /// What a child said that this driver's user has been told of; each further one must say the same.
    private var toldHello: ClientHello?
    var whenReady: [(Result<ClientHello, ClientMisbehaviour>) -> Void] = []
    var whenGone: [() -> Void] = []
    var conversation: Conversation
    var lines: LineBuffer
    let calls: OpenCalls
    var scenario: Scenario?
    var errorLog: ErrorLog
    /// The child has served a scenario, or tried to.
    var hasServed = false
    private var spooled = 0
    private var scenarios = 0
    let recorders = RecorderSeat()

    /// The child has served its last scenario, and is heard until it ends.
    var isTakingLeave = false
    /// What a client did between its `hello` and its first scenario: that one is blamed.
    var early: ClientMisbehaviour?
    /// What a client did after its scenario was over.
    var aftermath: [ClientMisbehaviour] = []
    /// The same, unless the next client does it too: then it is that scenario's own.
    var doubtful: [ClientMisbehaviour] = []

    /// - Parameters:
    ///   - command: program, found by PATH, and its arguments.
    ///   - environment: added to our own.
    package convenience init(
        loop: EventLoop, command: [String], environment: [String: String] = [:],
        limits: Limits = Limits()
    ) {
        self.init(
            loop: loop, child: ChildCommand(command, environment: environment), limits: limits)
    }

    /// Drives a child process.
    package convenience init(
        loop: EventLoop, child command: ChildCommand, limits: Limits = Limits()
    ) {
        self.init(loop: loop, name: command.words.joined(separator: " "), limits: limits) {
            driver throws(LinkFailure) in
            try ChildProcess(
                loop: loop, command: command, termGrace: limits.termination, owner: driver)
        }
    }

    /// - Parameters:
    ///   - name: the client, as a message says it that it could not be started.
    ///   - open: starts it; the link keeps the driver that it is given until it has ended.
    package init(
        loop: EventLoop, name: String, limits: Limits,
        open: @escaping (StdioDriver) throws(LinkFailure) -> any ClientLink
    ) {
        self.loop = loop
        self.name = name
        self.open = open
        self.limits = limits
        conversation = Conversation(messageLimit: limits.messages)
        lines = LineBuffer(limit: limits.line)
        errorLog = ErrorLog(limit: limits.errorOutput)
        calls = OpenCalls(loop: loop)
        calls.onDeadline = { [weak self] in self?.deadline($0, $1) }
        calls.starvation = { [weak self] in self?.starvation ?? .zero }
    }

    deinit { child?.abandon() }

    /// The child that is running now.
    package var pid: Int32? { child?.pid }

    // MARK: ClientDriver

    package func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        soon { [self] in
            withChild { [weak self] result in
                if case .success(let hello) = result { self?.toldHello = hello }
                reply(result)
            }
        }
    }

    package func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        scenarios += 1
        scenario = Scenario(configuration: configuration, sink: sink, ordinal: scenarios)
        soon { [self] in configureChild(reply) }
    }

    package func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        guard isTalking else { return soon { reply(.lost) } }
        if case .restart = command.verb { return restart(reply) }
        do {
            let (id, message) = conversation.perform(try spool(command))
            let limit = command.isAnsweredAtOnce ? limits.reply : nil
            calls.add(id, command.label, within: limit, reply: reply)
            send(message)
        } catch {
            let problem = "no room for the bytes of '\(command.label)': \(error)"
            soon { reply(.hindered(problem)) }
        }
    }

    package func sync(_ reply: @escaping (ClientReply) -> Void) {
        guard isTalking else { return soon { reply(.lost) } }
        let (id, message) = conversation.sync()
        calls.add(id, "sync", within: limits.reply, reply: reply)
        send(message)
    }

    package func end(_ reply: @escaping (ClientReply) -> Void) {
        guard scenario != nil else { return soon { reply(.result(.done)) } }
        guard isTalking else { return finishScenario(reply) }
        calls.loseAll()
        let (id, message) = conversation.end()
        calls.add(id, "end", within: limits.end) { [weak self] (_: ClientReply) in
            guard let self else { return }
            guard isTalking else { return finishScenario(reply) }
            conversation.ended()
            // Whatever the client says between its answers to `end` and to this is blamed on the
            // scenario that is ending, and not on the next one.
            let (id, message) = conversation.sync()
            calls.add(id, "sync after end", within: limits.end) { [weak self] (_: ClientReply) in
                guard let self else { return }
                finishScenario(reply)
            }
            send(message)
        }
        send(message)
    }

    package func stop(_ reply: @escaping () -> Void) {
        guard let child else { return soon(reply) }
        whenGone.append(reply)
        isTakingLeave = !isChildDoomed && hasServed && scenario == nil
        isChildDoomed = true
        scenario = nil
        calls.loseAll()
        becameReady(.failure(.stopped))
        child.closeInput()
        // One that has not even said who it is has nothing to see to.
        if helloOfChild == nil { return child.terminate() }
        loop.realTimer(after: limits.stop) { child.terminate() }
    }

    // MARK: The child

    private var isTalking: Bool {
        guard let scenario, child != nil, !isChildDoomed else { return false }
        return scenario.stage == .answered && scenario.misbehaviour == nil
    }

    private func withChild(_ then: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        if isChildDoomed {
            whenGone.append { [weak self] in self?.withChild(then) }
        } else if let helloOfChild {
            then(.success(helloOfChild))
        } else {
            whenReady.append(then)
            if child == nil { start() }
        }
    }

    private func start() {
        do throws(LinkFailure) {
            attach(try open(self))
        } catch {
            let problem = ClientMisbehaviour.notStarted(command: name, problem: error.problem)
            recorders.noted("\(problem)")
            return becameReady(.failure(problem))
        }
        let (id, message) = conversation.hello()
        calls.add(id, "hello", within: limits.hello) { [weak self] (answer: OpenCalls.Answer) in
            guard let self else { return }
            guard case .hello(let hello) = answer else { return }
            helloOfChild = hello
            becameReady(.success(hello))
        }
        send(message)
    }

    private func attach(_ child: any ClientLink) {
        self.child = child
        hasServed = false
        errorLog.childBegan()
        recorders.begin(lineLimit: limits.line)
        conversation = Conversation(messageLimit: limits.messages)
        lines = LineBuffer(limit: limits.line)
        // The loop keeps this driver as long as there is a child: every call is answered, also those
        // of a driver that nobody else holds.
        child.onOutput = { [weak self] bytes in
            self?.recorders.read(bytes)
            self?.read(bytes)
        }
        child.onErrorOutput = { [weak self] bytes in
            self?.recorders.wroteErrors(bytes)
            self?.errorLog.append(bytes)
        }
        child.onOutputEnd = { [weak self] in self?.pipeEnded() }
        child.onInputEnd = { [weak self] in self?.pipeEnded() }
        child.onEnd = { [weak self] ending in
            self?.recorders.ended(ending)
            self?.ended(ending)
        }
    }

    func becameReady(_ result: Result<ClientHello, ClientMisbehaviour>) {
        let waiting = whenReady
        whenReady = []
        for then in waiting { then(result) }
    }

    private func send(_ message: CommandMessage) {
        let line = Array(JSONLinesCodec.line(message).utf8)
        recorders.sent(line)
        child?.write(line + [0x0A])
    }

    private func restart(_ reply: @escaping (ClientReply) -> Void) {
        isChildDoomed = true
        scenario?.stage = .begun
        calls.loseAll()
        whenGone.append { [weak self] in self?.configureChild(reply) }
        child?.killNow()
    }

    private func configureChild(_ reply: @escaping (ClientReply) -> Void) {
        if let misbehaviour = early.take() {
            blame(misbehaviour)
            return reply(.lost)
        }
        withChild { [weak self] result in
            guard let self, let scenario else { return reply(.lost) }
            if let misbehaviour = objection(to: result) {
                decideDoubt(isRepeated: false)
                blame(misbehaviour)
                return reply(.lost)
            }
            errorLog.open(scenario.configuration.errorOutputPath)
            self.scenario?.stage = .asked
            let (id, message) = conversation.configure(scenario.configuration)
            calls.add(id, "configure", within: limits.end) { [weak self] (answer: ClientReply) in
                self?.configured(answer, reply)
            }
            send(message)
        }
    }

    /// Why a child is not to be asked anything. One that was started after its like had been judged by
    /// what it says must say that too.
    private func objection(
        to hello: Result<ClientHello, ClientMisbehaviour>
    ) -> ClientMisbehaviour? {
        switch hello {
        case .failure(let misbehaviour): return misbehaviour
        case .success(let hello):
            guard let difference = toldHello.flatMap(hello.difference) else { return nil }
            let change = ClientMisbehaviour.changed(difference: difference)
            isChildDoomed = true
            recorders.noted("\(change)")
            child?.blamed(change)
            child?.terminate()
            return change
        }
    }

    private func configured(_ answer: ClientReply, _ reply: @escaping (ClientReply) -> Void) {
        // What an earlier scenario left behind breaks the child now, or it ended after that one: it
        // is not this one's fault, so a fresh child gets the same question.
        if answer == .lost, let scenario, scenario.misbehaviour == nil {
            self.scenario?.stage = .begun
            return configureChild(reply)
        }
        hasServed = true
        decideDoubt(isRepeated: answer == .lost)
        scenario?.stage = answer == .lost ? .begun : .answered
        reply(answer)
    }

    // MARK: What the child says

    private func read(_ bytes: UnsafeRawBufferPointer) {
        guard isHeard else { return }
        var whole: [[UInt8]] = []
        let isShort = lines.append(bytes) { whole.append($0) }
        for line in whole where isHeard { received(conversation.received(line)) }
        if !isShort, isHeard { misbehaved(.lineTooLong(limit: limits.line)) }
    }

    private func received(_ report: Conversation.Received) {
        switch report {
        case .hello(let id, let hello): calls.settle(id, .hello(hello))
        case .reply(let id, let reply): calls.settle(id, .reply(reply))
        case .event(var event, let task, let observer):
            event.time = loop.now
            scenario?.sink.observed(event, task: task, observer: observer)
        case .completion(var completion, let task):
            completion.time = loop.now
            scenario?.sink.completed(completion, task: task)
        case .question(let id, let question):
            guard let scenario else { return }
            scenario.sink.asked(question) { [weak self] answer in
                guard let self, self.scenario?.ordinal == scenario.ordinal,
                    let message = conversation.token(id, answer)
                else { return }
                send(message)
            }
        case .nothing: break
        case .misbehaviour(let misbehaviour): misbehaved(misbehaviour)
        }
    }

    private func deadline(_ id: Int, _ limit: Duration) {
        // What the child has done may be there, and we late: the loop tells it first.
        soon { [weak self] in self?.missed(id, limit) }
    }

    private func missed(_ id: Int, _ limit: Duration) {
        child?.readNow()
        guard let label = calls.label(of: id), !isChildDoomed else { return }
        // It is about to be blamed for that, or to end.
        if child?.isPipeClosed == true { return }
        if calls.isExtended(id, isRunnable: child?.isRunnable ?? false) { return }
        misbehaved(
            child?.reasonForSilence()
                ?? .hang(command: label, limit: limit, unfinished: unfinishedLine))
    }

    var unfinishedLine: String? {
        lines.unfinished.isEmpty ? nil : LineBuffer.quoted(lines.unfinished)
    }

    /// On the loop, after the caller has returned.
    func soon(_ work: @escaping () -> Void) { loop.realTimer(after: .zero, work) }

    // MARK: Bytes

    /// Bytes in memory are written to files in the scenario's working directory.
    private func spool(_ command: ClientCommand) throws -> ClientCommand {
        guard let directory = scenario?.configuration.workingDirectory else { return command }
        return try command.mappingBytes { source in
            spooled += 1
            let path = "\(directory)/squall-bytes-\(spooled)"
            try FileSpool.write(source, to: path)
            return path
        }
    }
}
