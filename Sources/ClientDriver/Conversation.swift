import StorageModel

/// What was asked of a client, and what may therefore come back; without processes and time.
struct Conversation {
    enum Received {
        case hello(id: Int, ClientHello)
        case reply(id: Int, ClientReply)
        case event(TransferEvent, task: String, observer: String?)
        case completion(TaskCompletion, task: String)
        case question(id: Int, TokenQuestion)
        /// It came too late to matter.
        case nothing
        case misbehaviour(ClientMisbehaviour)
    }

    private enum Stage {
        case idle
        case running
        /// `end` was sent: what the client said before it read that is of no interest.
        case ending
    }

    private let messageLimit: Int
    private var stage = Stage.idle
    private var lastID = 0
    private var open: [Int: ReplyShape] = [:]
    private var discarded: Set<Int> = []
    private var questions: Set<Int> = []
    private var tasks: Set<String> = []
    private var observers: Set<String> = []
    private var lines = 0
    private var linesBefore = 0

    /// True between scenarios.
    var isIdle: Bool { stage == .idle }

    /// - Parameter messageLimit: messages in one scenario.
    init(messageLimit: Int) { self.messageLimit = messageLimit }

    // MARK: What is sent

    mutating func hello() -> (id: Int, CommandMessage) {
        let id = expect(.hello)
        return (id, .hello(id: id, protocolVersion: ClientHello.protocolVersion))
    }

    mutating func configure(_ configuration: ClientConfiguration) -> (id: Int, CommandMessage) {
        stage = .running
        (tasks, observers, questions, discarded) = ([], [], [], [])
        linesBefore = lines
        let id = expect(.done)
        return (id, .configure(id: id, configuration))
    }

    mutating func perform(_ command: ClientCommand) -> (id: Int, CommandMessage) {
        learn(command)
        let id = expect(ReplyShape(of: command.verb))
        return (id, .perform(id: id, command))
    }

    mutating func sync() -> (id: Int, CommandMessage) {
        let id = expect(.done)
        return (id, .sync(id: id))
    }

    /// Calls that are still open need no answer any more.
    mutating func end() -> (id: Int, CommandMessage) {
        stage = .ending
        discarded.formUnion(open.keys)
        open = [:]
        let id = expect(.done)
        return (id, .end(id: id))
    }

    /// After the answer to `end`: whatever comes now is too much.
    mutating func ended() {
        stage = .idle
        discarded = []
        questions = []
    }

    /// Nil when the question is of an earlier scenario.
    mutating func token(_ id: Int, _ answer: TokenAnswer) -> CommandMessage? {
        questions.remove(id) == nil ? nil : .token(id: id, answer)
    }

    private mutating func expect(_ shape: ReplyShape) -> Int {
        lastID += 1
        open[lastID] = shape
        return lastID
    }

    /// Names that reports may use from now on.
    private mutating func learn(_ command: ClientCommand) {
        switch command.verb {
        case .upload(let upload): tasks.insert(upload.task)
        case .download(let download): tasks.insert(download.task)
        case .observe(let observe): observers.insert(observe.name)
        case .burst(let commands), .parallel(let commands):
            for command in commands { learn(command) }
        case .pause, .resume, .cancel, .snapshot, .unobserve, .getMetadata, .updateMetadata,
            .delete, .url, .list, .listAll, .fetch, .image, .reference, .release, .token, .purge,
            .restart:
            break
        }
    }

    // MARK: What comes back

    mutating func received(_ line: [UInt8]) -> Received {
        lines += 1
        guard lines - linesBefore <= messageLimit else {
            return .misbehaviour(.flood(messages: messageLimit))
        }
        do throws(MessageError) {
            return try received(try JSONLinesCodec.report(line))
        } catch {
            var error = error
            error.line = lines
            return .misbehaviour(
                .garbage(line: LineBuffer.quoted(line), problem: error.description))
        }
    }

    private mutating func received(_ report: ReportMessage) throws(MessageError) -> Received {
        switch report {
        case .hello(let id, let hello, _):
            try settle(id, with: .hello)
            return .hello(id: id, hello)
        case .reply(let id, let reply):
            if discarded.remove(id) != nil { return .nothing }
            try settle(id, with: ReplyShape(of: reply))
            return .reply(id: id, reply)
        case .event(let event, let task, let observer):
            guard try isWanted("event") else { return .nothing }
            try know(task, in: tasks, "task")
            if let observer { try know(observer, in: observers, "observer") }
            return .event(event, task: task, observer: observer)
        case .completion(let completion, let task):
            guard try isWanted("completion") else { return .nothing }
            try know(task, in: tasks, "completion")
            return .completion(completion, task: task)
        case .question(let id, let question):
            guard try isWanted("ask") else { return .nothing }
            guard questions.insert(id).inserted else {
                throw MessageError(member: "id", problem: "is \(id), which is still open")
            }
            return .question(id: id, question)
        }
    }

    /// False while the client may not have read `end` yet.
    private func isWanted(_ member: String) throws(MessageError) -> Bool {
        switch stage {
        case .running: return true
        case .ending: return false
        case .idle:
            throw MessageError(member: member, problem: "comes while there is no scenario")
        }
    }

    private func know(
        _ name: String, in names: Set<String>, _ member: String
    ) throws(MessageError) {
        guard names.contains(name) else {
            throw MessageError(member: member, problem: "is '\(name)', which was never started")
        }
    }

    private mutating func settle(_ id: Int, with given: ReplyShape) throws(MessageError) {
        guard let wanted = open[id] else {
            throw MessageError(
                member: "answer", problem: "is \(id), a call that is not open")
        }
        guard wanted.accepts(given) else {
            throw MessageError(
                member: "answer",
                problem: "to call \(id) gives \(given.name), where \(wanted.name) is due")
        }
        open[id] = nil
    }
}
