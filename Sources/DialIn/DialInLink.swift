import ClientDriver
import EventLoop
import StorageModel

/// A driver's link to whoever dials in, from the opening of the client to its leaving.
final class DialInLink: ClientLink, @unchecked Sendable {
    // Invariant: confined to the loop.
    private let loop: EventLoop
    private let options: DialInOptions
    private weak var port: DialInPort?
    /// Kept until the link has ended.
    private let owner: AnyObject
    /// What a client must say that was opened by this link; nil: anybody may come.
    let key: String?
    private var opener: ChildProcess?
    private(set) var session: DialInSession?
    /// What was sent before the client said anything: said again to another that takes its place.
    private var greeting: [String] = []
    private var hasHeard = false
    private var waitTimer: LoopTimer?
    private var ending: LinkEnding?
    private var blame: String?

    var onOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    var onErrorOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    var onOutputEnd: () -> Void = {}
    var onEnd: (LinkEnding) -> Void = { _ in }

    /// Opens the client, where that is Squall's to do.
    ///
    /// - Parameter wait: for the client to dial in.
    init(
        port: DialInPort, owner: AnyObject, wait: Duration
    ) throws(LinkFailure) {
        loop = port.loop
        options = port.options
        self.port = port
        self.owner = owner
        key = options.open == nil ? nil : DialInSession.random()
        if let open = options.open { try start(open, port.url(key: key)) }
        waitTimer = loop.realTimer(after: wait) { [weak self] in self?.nobodyCame(wait) }
    }

    var pid: Int32? { opener?.pid }

    // MARK: The command that opens it

    private func start(_ command: ChildCommand, _ url: String) throws(LinkFailure) {
        let mark = "{url}"
        var command = command
        if !command.words.contains(where: { $0.contains(mark) }) { command.words.append(mark) }
        command.words = command.words.map { $0.replacing(mark, with: url) }
        command.environment["SQUALL_URL"] = url
        let opener = try ChildProcess(
            loop: loop, command: command, termGrace: options.limits.termination, owner: self)
        opener.onOutput = { [weak self] in self?.onErrorOutput($0) }
        opener.onErrorOutput = { [weak self] in self?.onErrorOutput($0) }
        opener.onEnd = { [weak self] in self?.openerEnded($0) }
        self.opener = opener
    }

    private func openerEnded(_ how: LinkEnding) {
        opener = nil
        guard ending == nil else { return conclude() }
        switch how {
        // It has told another program to open the page, and that goes on.
        case .exited(0): break
        case .exited(let code): lose("was opened by a command that exited with code \(code)")
        case .signalled(let signal):
            lose("was opened by a command that was killed by signal \(signal)")
        case .left(let what): lose(what)
        }
    }

    // MARK: Who dials in

    private func nobodyCame(_ wait: Duration) {
        guard session == nil else { return }
        port?.hasWaitedInVain = true
        let place = port?.url(key: nil) ?? ""
        lose(
            wait == .zero
                ? "is not there: nobody has dialed in at \(place) again"
                : "did not dial in at \(place) within \(wait.scenarioText)")
    }

    /// True while another client may take the place of the one that is there: it has said nothing.
    var canStartOver: Bool { !hasHeard && ending == nil }

    func bind(_ session: DialInSession) {
        waitTimer.map(loop.cancel)
        waitTimer = nil
        port?.hasWaitedInVain = false
        self.session = session
        session.link = self
        for line in greeting { session.write(line) }
        watch()
    }

    /// Looks now and then whether the client is still there.
    private func watch() {
        let period = max(.milliseconds(10), min(options.limits.absence, options.limits.silence) / 8)
        loop.realTimer(after: period) { [weak self, weak session] in
            guard let self, let session, session === self.session, ending == nil else { return }
            if let why = session.absence { return lose(why) }
            watch()
        }
    }

    func hear(_ line: ArraySlice<UInt8>) {
        hasHeard = true
        (line + [0x0A]).withUnsafeBytes(onOutput)
    }

    func log(_ bytes: [UInt8]) { bytes.withUnsafeBytes(onErrorOutput) }

    // MARK: What the driver says

    func write(_ bytes: some Sequence<UInt8>) {
        guard ending == nil else { return }
        for line in Array(bytes).split(separator: 0x0A) {
            let text = String(decoding: line, as: UTF8.self)
            if !hasHeard { greeting.append(text) }
            session?.write(text)
        }
    }

    func readNow() {}

    func readErrorOutputNow() { opener?.readErrorOutputNow() }

    func reasonForSilence() -> ClientMisbehaviour? {
        guard let session, session.neglected > 0 else { return nil }
        return .left("is there, and does not ask for its next command", command: nil)
    }

    func blamed(_ misbehaviour: ClientMisbehaviour) { blame = "the client \(misbehaviour)" }

    // MARK: The end

    /// The client is gone, or has broken the rules of dialing in: what it did, as a message says it.
    func lose(_ how: String) { finish(.left(how), "the client \(how)") }

    func closeInput() {
        guard ending == nil, let session, session.ending == nil else { return terminate() }
        let isHeard = session.hasPoll
        session.end("this run is over")
        // One that is between two polls hears it if it asks soon.
        loop.realTimer(after: isHeard ? .zero : options.limits.farewell) { [weak self] in
            self?.terminate()
        }
    }

    func terminate() { finish(.exited(0), blame ?? "Squall has ended this session") }

    func killNow() {
        opener?.killNow()
        finish(.exited(0), "this client is to start anew")
    }

    func abandon() { opener?.abandon() }

    private func finish(_ how: LinkEnding, _ why: String) {
        guard ending == nil else { return }
        ending = how
        waitTimer.map(loop.cancel)
        session?.end(why)
        guard let opener else {
            loop.realTimer(after: .zero) { [self] in conclude() }
            return
        }
        opener.terminate()
    }

    private func conclude() {
        guard let ending else { return }
        port?.ended(self)
        let last = onEnd
        (onOutput, onErrorOutput, onOutputEnd, onEnd) = ({ _ in }, { _ in }, {}, { _ in })
        last(ending)
    }
}
