import ClientDriver
import EventLoop
import EventMatching
import FaultEngine
import MockServer
import RunModel
import Scenario
import StorageModel

/// One scenario on one loop: a server of its own, a client behind its driver, steps at their moments,
/// everything recorded. It is held by its loop until it has told its outcome.
final class ScenarioRun: @unchecked Sendable {
    // Invariant: touched on the loop's thread alone; the questions of virtual time come while the
    // loop is asleep, under the clock's lock.

    enum Phase {
        case starting
        case running
        /// Everything has ended: silence is watched.
        case settling
        case over
    }

    let planned: PlannedScenario
    let settings: RunSettings
    let loop: EventLoop
    let driver: any ClientDriver
    let capabilities: Set<Capability>
    let seed: UInt64
    let judging: Judging
    let contents: ScenarioContents
    let list: StepList

    var workspace: Workspace?
    var server: MockServer?
    var machine: StepMachine
    var moments: MomentLog
    var book = RunBook()
    var tokens: TokenScripts
    var phase = Phase.starting
    var failures: [Failure] = []
    /// What the client did while it was told that the scenario is over.
    var lastWords: [ClientMisbehaviour] = []
    var skipReason: String?
    /// The client was told of the scenario.
    private(set) var isServed = false
    /// Wire points that steps wait for, by the step's entry.
    var holds: [Int: [HoldID]] = [:]
    /// Commands that the client has not answered and that wait for no moment, by the step's entry.
    var unanswered: [Int: String] = [:]
    /// Steps that were carried out and whose exchanges may go on.
    var releases: [Int] = []
    /// Wall time: what goes on once the steps that are under way were carried out.
    var settledWaiters: [() -> Void] = []
    /// How often everything seemed to be over.
    private var settlings = 0
    /// Wall time: how often more a client is asked what it has seen of a task.
    var looksLeft: [String: Int] = [:]
    /// Wall time: how long the client had starved when its deadline was looked at last.
    var starvation = Duration.zero
    /// The same of this loop's thread.
    var ownStarvation = Duration.zero
    /// Wall time: by how much the loop was ever late.
    var worstLateness = Duration.zero
    /// Wall time: what had happened when quiet was watched last.
    var quietMark: Int?
    var isPollDue = false
    var timers: [LoopTimer] = []
    var done: ((ScenarioResult) -> Void)?

    /// With every duration as it is on the clock of this run.
    let scenario: ScenarioFile
    var now: Duration { loop.now }

    init(
        _ planned: PlannedScenario, settings: RunSettings, seed: UInt64, driver: any ClientDriver,
        capabilities: Set<Capability>, judging: Judging = .whole
    ) {
        self.planned = planned
        scenario = WallScale(factor: settings.scale).scenario(planned.scenario)
        self.settings = settings
        self.seed = seed
        self.driver = driver
        self.capabilities = capabilities
        self.judging = judging
        loop = driver.loop
        contents = ScenarioContents(besideFile: planned.file)
        list = StepList(scenario.steps)
        machine = StepMachine(list)
        moments = MomentLog(rounds: list.rounds)
        tokens = TokenScripts(scenario.client.tokens)
    }

    /// Begins; on the loop.
    ///
    /// - Parameter run: counts the scenarios of this driver, from 1.
    func start(run: Int, _ done: @escaping (ScenarioResult) -> Void) {
        self.done = done
        loop.restartClock()
        do {
            let workspace = try Workspace(in: settings.temporaryDirectory)
            self.workspace = workspace
            let port = try startServer()
            watchTime()
            configure(run: run, port: port, workspace)
        } catch {
            fail(Failure(.infrastructure, "\(error)"))
            finish()
        }
    }

    private func startServer() throws -> UInt16 {
        var options = MockServer.Options()
        options.seed = seed
        options.scenario = planned.id
        options.epoch = settings.isVirtual ? Self.virtualEpoch : nil
        options.ignoresResends = ignoresResends
        options.journalLimit = settings.journalLimit
        var backend = scenario.backend.settings
        backend.objects = backend.objects.map(contents.found)
        let server = try MockServer(
            loop: loop, settings: backend, faults: scenario.faults, options: options)
        self.server = server
        return try server.assumeIsolated { server in
            server.observe { [self] event in heard(event) }
            return try server.start()
        }
    }

    /// 1 January 2025, so that every run in virtual time tells the same dates.
    private static let virtualEpoch: Int64 = 1_735_689_600_000

    /// Whether requests that a transport repeats by itself are left out of the log.
    var ignoresResends: Bool {
        switch scenario.backend.resends {
        case .none?: false
        case .allowed?: true
        case nil: !capabilities.contains(.noResend)
        }
    }

    private func configure(run: Int, port: UInt16, _ workspace: Workspace) {
        var configuration = ClientConfiguration(
            run: run, port: port, bucket: bucket, settings: scenario.client,
            workingDirectory: workspace.clientDirectory, timeScale: settings.scale,
            seed: SplitMix64.derive(seed, planned.id, "client"))
        configuration.errorOutputPath = clientLog
        isServed = true
        driver.configure(configuration, sink: self) { [self] reply in
            guard phase == .starting else { return }
            switch reply {
            case .result: begin()
            case .unsupported(let what): refused("its configuration", what)
            case .hindered(let problem):
                fail(Failure(.infrastructure, problem))
                finish()
            case .error(let error):
                fail(
                    Failure(.client, "the client refused its configuration: \(error.message)"))
                finish()
            case .lost: finish()
            }
        }
    }

    var bucket: String { scenario.backend.settings.bucket ?? "demo.appspot.com" }

    private func begin() {
        phase = .running
        if !settings.isVirtual {
            // How long the client took to start is no part of the scenario: a step at 20 s comes 20 s
            // after the first one, as in virtual time.
            loop.restartClock()
            watchDeadline()
        }
        for change in scenario.backend.link {
            // What holds from the beginning holds before the first step.
            guard change.at > .zero else {
                apply(.link(change.state))
                continue
            }
            after(change.at) { [self] in apply(.link(change.state)) }
        }
        watchExpectedWires()
        watchHeads()
        poll()
    }

    // MARK: Time

    private func watchTime() {
        if let time = loop.time {
            time.setDeadline(scenario.deadline)
            time.addStage(.steps) { [self] in nextWork() }
            time.describe("server") { [self] in serverWaits() }
            time.describe("steps") { [self] in stepWaits() }
            time.describe("tasks") { [self] in taskWaits() }
            time.whenStuck { [self] in stuck($0) }
            let limit = settings.wallLimit
            timers.append(
                loop.realTimer(after: limit) { [self] in
                    let text = "took more than \(limit.scenarioText) on the wall clock"
                    fail(Failure(.infrastructure, "the scenario \(text)"))
                    finish()
                })
        } else {
            _ = loop.takeWorstLateness()
        }
    }

    /// Runs `work` later on the scenario's clock, unless the scenario is over by then.
    func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        timers.append(
            loop.timer(after: delay) { [self] in
                if phase != .over { work() }
            })
    }

    var settle: Duration {
        settings.isVirtual ? scenario.settle ?? .seconds(5) : estimate.settle
    }

    /// Wall time: what is known of it beforehand.
    var estimate: WallEstimate { WallEstimate(planned.scenario, scale: settings.scale) }

    /// Virtual time: nothing can happen any more.
    private func stuck(_ report: StuckReport) {
        guard phase != .over else { return }
        switch report.reason {
        case .undelivered: fail(Failure(.infrastructure, "\(report)"))
        case .deadline: return missDeadline(scenario.deadline)
        case .nothingLeft:
            let late = book.tasks.filter { !$0.isAtRest }.map(\.name)
            if !late.isEmpty || machine.isRunning {
                fail(
                    Failure(
                        .deadlock,
                        "nothing can happen any more at \(report.time.scenarioText), and "
                            + whatIsMissing, notes: report.waits))
            }
        }
        finish()
    }

    static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    // MARK: Ending

    /// Looks whether everything has ended; then silence is watched.
    func checkEnd() {
        guard phase == .running, book.tasks.allSatisfy(\.isAtRest), releases.isEmpty else { return }
        guard machine.isDone else { return watchQuiet() }
        phase = .settling
        settlings += 1
        let mark = settlings
        afterSilence(settle) { [self] in
            if phase == .settling, settlings == mark { finish() }
        }
    }

    /// Wall time: steps wait for moments that nothing is left to bring about.
    private func watchQuiet() {
        guard !settings.isVirtual, quietMark != moments.count, nothingIsComing else { return }
        let mark = moments.count
        quietMark = mark
        afterSilence(max(.seconds(1), settle)) { [self] in
            guard phase == .running, moments.count == mark else { return }
            // A step may have begun to wait for its time since then, which is no moment of its own.
            if nothingIsComing { finish() } else { quietMark = nil }
        }
    }

    /// No step is under way, and none waits for a time that will come.
    private var nothingIsComing: Bool {
        !machine.isRunning && !machine.isDelayed && machine.due == nil
            && !machine.waiting.contains { machine.awaitsTime($0, now: now) }
    }

    func fail(_ failure: Failure) { failures.append(failure) }

    /// The machine cannot carry it out.
    func skip(_ reason: String) {
        skipReason = reason
        finish()
    }

    /// The client says in the middle of a scenario that it cannot do what its `hello` offers. That is
    /// no reason to leave the scenario out: whoever breaks could hide it so.
    func refused(_ what: String, _ words: String, place: SourcePlace? = nil) {
        fail(
            Failure(
                .client,
                "the client answered \(what) with 'unsupported' (\(words)), although its hello "
                    + "offers all that the scenario needs", place: place))
        finish()
    }

    /// Ends the scenario, once: looks at everything, then lets client and server go.
    func finish() {
        guard phase != .over else { return }
        phase = .over
        for timer in timers { loop.cancel(timer) }
        var result = conclude()
        driver.end { [self] _ in
            result.blame(lastWords)
            leave(result)
        }
    }

    /// Ends the scenario at once, with its client, and says nothing about it.
    func interrupt() {
        guard phase != .over else { return }
        phase = .over
        for timer in timers { loop.cancel(timer) }
        var result = ScenarioResult(planned, seed: seed, verdict: .notRun)
        result.reason = "the run was ended while it ran"
        driver.stop { [self] in leave(result) }
    }

    private func leave(_ result: ScenarioResult) {
        var result = result
        result.clientOutput = ClientLog.text(driver.errorOutput)
        server?.assumeIsolated { $0.stop() }
        server = nil
        workspace = nil
        let done = done
        self.done = nil
        done?(result)
    }
}
