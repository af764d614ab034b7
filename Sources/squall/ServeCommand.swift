import EventLoop
import Glibc
import MockServer
import RunModel
import Scenario
import StorageModel

/// `squall serve`: the mock backend alone, for any client that can be pointed at a host and port.
struct ServeCommand {
    private let options: ServeOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ServeOptions(arguments)
    }

    func perform() throws(UsageError) -> ExitCode {
        let journal = try options.journalPath.map { path throws(UsageError) in
            try JournalFile(path: path)
        }
        let signals = StopSignals()
        do {
            let loop = try EventLoop()
            let server = try makeServer(loop)
            try loop.start()
            let session = ServeSession(loop: loop, server: server, options: options, journal)
            let port = try session.start()
            Terminal.print(ServeBanner(host: options.host, port: port, options: options).text)
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
        return try MockServer(
            loop: loop, settings: options.settings, faults: options.faults,
            options: serverOptions)
    }
}

/// SIGINT and SIGTERM, waited for instead of dying of them.
///
/// Blocked before any thread starts, so that every thread inherits the mask.
struct StopSignals {
    private let set: sigset_t

    init() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        self.set = set
    }

    /// Returns when one of them has come.
    func wait() {
        var set = set
        var signal: Int32 = 0
        while sigwait(&set, &signal) != 0 {}
    }

    /// As if the user had asked to stop.
    static func raise() { kill(getpid(), SIGTERM) }
}
