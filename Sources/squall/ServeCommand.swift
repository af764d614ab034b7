import EventLoop
import Glibc
import MockServer
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// `squall serve`: the mock backend alone, for any client that can be pointed at a host and port.
struct ServeCommand {
    private let options: ServeOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ServeOptions(arguments)
    }

    func perform() throws(UsageError) -> ExitCode {
        let journal = try options.journalPath.map { path throws(UsageError) in
            try JournalFile(path: path, scenario: ServedSetup.text(options))
        }
        let signals = StopSignals()
        do {
            let loop = try EventLoop()
            let server = try makeServer(loop)
            let authority = try server.authorityCertificate.map(AuthorityFile.init)
            defer { authority?.remove() }
            try loop.start()
            let session = ServeSession(loop: loop, server: server, options: options, journal)
            let ports = try session.start()
            let banner = ServeBanner(
                host: options.host, port: ports.server, controlPort: ports.control,
                options: options, authority: authority?.path)
            Terminal.print(banner.text)
            signals.wait()
            let code = session.finish()
            loop.stop()
            return code
        } catch {
            Terminal.error("squall: \(error)")
            return .infrastructure
        }
    }

    private func makeServer(_ loop: EventLoop) throws -> MockServer {
        var serverOptions = MockServer.Options()
        serverOptions.seed = options.seed
        serverOptions.scenario = options.scenario?.id ?? "serve"
        serverOptions.isServed = true
        serverOptions.limits = options.limits
        serverOptions.journalLimit = options.journalLimit
        serverOptions.explains = options.explains
        serverOptions.tlsNames = options.usesTLS ? CertificateNames.all(for: options.host) : nil
        serverOptions.ignoresResends = options.judge?.ignoresResends ?? false
        return try MockServer(
            loop: loop, settings: options.settings, faults: options.faults,
            options: serverOptions)
    }
}

/// SIGINT and SIGTERM, waited for instead of dying of them; a second one ends the process at once.
///
/// By a handler and not by a mask: there are threads already when a command begins, and any of them
/// may be the one that the signal comes to.
struct StopSignals {
    // `sem_post` may be called in a signal handler, from any thread.
    nonisolated(unsafe) private static let semaphore = {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        return semaphore
    }()

    init() {
        _ = Self.semaphore
        for number in SignalMask.stopping {
            signal(number) { number in
                StopSignals.raise()
                signal(number, SIG_DFL)
            }
        }
    }

    /// Returns when one of them has come.
    func wait() {
        while sem_wait(Self.semaphore) != 0 {}
    }

    /// As if the user had asked to stop.
    static func raise() { sem_post(semaphore) }
}
