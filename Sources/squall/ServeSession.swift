import ControlAPI
import EventLoop
import FaultEngine
import MockServer
import Reporting
import RunModel
import ScenarioRunner
import StorageModel

/// A server while it serves: prints what happens, and judges it at the end.
final class ServeSession: @unchecked Sendable {
    // Invariant: all `var`s and `journal` are touched on the loop alone.
    private let loop: EventLoop
    private let server: MockServer
    private let options: ServeOptions
    private let journal: JournalFile?
    private var narrator = ServeNarrator()
    private let lines = LoopLines()
    private var control: ControlAPI?
    private var lastRequest = Duration.zero
    private var open = 0

    init(
        loop: EventLoop, server: MockServer, options: ServeOptions, _ journal: JournalFile?
    ) {
        self.loop = loop
        self.server = server
        self.options = options
        self.journal = journal
    }

    /// Listens; the port, and that of the control API where there is one.
    func start() throws -> (server: UInt16, control: UInt16?) {
        try onLoop { [self] in
            let controlPort = try startControl()
            narrator = ServeNarrator(control: controlPort.map { "http://127.0.0.1:\($0)" })
            return try server.assumeIsolated { server in
                server.observe { [weak self] event in self?.saw(event) }
                let port = try server.start(host: options.host, port: options.port)
                options.judge?.begin(server)
                watch()
                return (port, controlPort)
            }
        }
    }

    private func startControl() throws -> UInt16? {
        guard let port = options.controlPort else { return nil }
        var controlOptions = ControlOptions()
        controlOptions.token = options.controlToken
        controlOptions.tool = "squall \(Version.tool)"
        let control = ControlAPI(server, controlOptions) { [weak self] in self?.beganAnew() }
        self.control = control
        return try control.start(port: port)
    }

    /// The server is as at its start: so is what was kept of it here.
    private func beganAnew() {
        lines.add(["            everything begins anew: objects, faults, journal and ordinals"])
        narrator = narrator.anew
        lastRequest = .zero
        journal?.beginAnew()
        server.assumeIsolated { options.judge?.begin($0) }
    }

    /// Stops the server, prints the table of faults and what is not as it should be; the exit code.
    func finish() -> ExitCode {
        let verdict: Verdict?
        do {
            verdict = try onLoop { [self] in conclude() }
        } catch {
            Terminal.error("squall: \(error)")
            return .infrastructure
        }
        return switch verdict {
        case nil, .passed?: .asPlanned
        case .errored?: .infrastructure
        default: .red
        }
    }

    /// The verdict on the scenario; nil where none is served.
    private func conclude() -> Verdict? {
        let lines = server.assumeIsolated { server in
            server.stop()
            control?.stop()
            return narrator.lastLines(at: loop.now, server.faultAccounts)
        }
        journal?.flush()
        self.lines.flush()
        if !lines.isEmpty { Terminal.print("\n" + lines.joined(separator: "\n")) }
        if options.faults.contains(where: \.usesChance) {
            Terminal.print("\nthe same draws again: \(options.repeating)")
        }
        let dropped = server.assumeIsolated { $0.droppedRecords }
        if dropped > 0 {
            Terminal.print(
                "\nthe \(dropped) oldest exchanges are not in memory any more (--journal-limit "
                    + "\(options.journalLimit))"
                    + (journal == nil ? "" : "; the file of --journal has them"))
        }
        guard let judge = options.judge else { return nil }
        let result = judge.result(of: server, seed: options.seed)
        let text = ReportWriter.console.block(result) ?? "\(result.verdict.text) \(result.id)\n"
        Terminal.print("\n" + text.dropLast())
        if !judge.notJudged.isEmpty {
            Terminal.print("  not judged here: " + judge.notJudged.joined(separator: ", "))
        }
        return result.verdict
    }

    private func saw(_ event: JournalEvent) {
        lastRequest = loop.now
        options.judge?.saw(event)
        switch event {
        case .head: open += 1
        case .fault: journal?.flush()
        case .problem, .held: break
        case .end(let record):
            // A connection had no head.
            if record.operation != .connect { open -= 1 }
            journal?.write(record)
        }
        lines.add(narrator.lines(for: event))
    }

    /// Has lines written when all that a turn brings has been done: behind the engine, also behind
    /// one that came later because the port was closed meanwhile.
    private func writeLast() {
        for component in [journal, lines] as [(any LoopComponent)?] {
            guard let component else { continue }
            loop.remove(component)
            loop.add(component)
        }
    }

    /// Looks often for clients that gave up, and whether the server is to stop.
    private func watch() {
        writeLast()
        loop.timer(after: .milliseconds(250)) { [weak self] in
            guard let self else { return }
            lines.add(narrator.lines(at: loop.now))
            if let idle = options.untilIdle, open <= 0, loop.now - lastRequest >= idle {
                return StopSignals.raise()
            }
            watch()
        }
    }

    /// Runs work on the loop and waits for its result.
    private func onLoop<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let result = Rendezvous<Value>()
        loop.post { result.set(Result { try work() }) }
        return try result.wait()
    }
}
