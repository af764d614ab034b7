import ClientDriver
import EventLoop
import Foundation
import Glibc
import MockServer
import Scenario
import ScenarioRunner
import StorageModel

/// What `squall drive` works with: a backend, an adapter, a directory and the screen.
final class DriveBench: @unchecked Sendable {
    // Invariant: after `init`, touched on the loop alone.
    let loop: EventLoop
    let options: DriveOptions
    let server: MockServer
    /// Made on the loop, where it is used.
    private(set) lazy var driver = options.adapter.source.make(loop)
    let screen: DriveScreen
    /// Of all files; it is gone with the bench.
    let directory: String
    /// The user wants to stop: called once, when the adapter is being ended.
    var onInterruption: () -> Void = {}
    private var narrator = ServeNarrator()
    private(set) var port: UInt16 = 0
    private var runs = 0

    init(_ loop: EventLoop, _ options: DriveOptions) throws {
        self.loop = loop
        self.options = options
        let served = options.served
        var serverOptions = MockServer.Options()
        serverOptions.seed = served.seed
        serverOptions.scenario = served.scenario?.id ?? "serve"
        serverOptions.isServed = true
        serverOptions.ignoresResends = served.judge?.ignoresResends ?? false
        server = try MockServer(
            loop: loop, settings: served.settings, faults: served.faults, options: serverOptions)
        screen = DriveScreen(loop)
        directory = try Self.makeDirectory()
        try FileManager.default.createDirectory(
            atPath: directory + "/client", withIntermediateDirectories: true)
    }

    /// With a name that says nothing: the client sees it.
    private static func makeDirectory() throws -> String {
        var template = Array("/tmp/squall-XXXXXX".utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { name in
            name.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        guard isMade else { throw UsageError("no directory can be made in /tmp") }
        return String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var clientDirectory: String { directory + "/client" }

    var bucket: String { options.served.settings.bucket ?? "demo.appspot.com" }

    /// The backend listens; what happens there is shown.
    func listen() throws -> UInt16 {
        port = try server.assumeIsolated { server in
            server.observe { [weak self] event in self?.saw(event) }
            let port = try server.start()
            options.served.judge?.begin(server)
            return port
        }
        watch()
        return port
    }

    /// Looks from time to time whether the user wants to stop: nobody is to wait for an adapter that
    /// hangs, and nothing of it may be left.
    private func watch() {
        loop.realTimer(after: .milliseconds(100)) { [weak self] in
            guard let self else { return }
            guard Interruption.hasCome else { return watch() }
            driver.stop {}
            onInterruption()
        }
    }

    private func saw(_ event: JournalEvent) {
        options.served.judge?.saw(event)
        for line in narrator.lines(for: event) { Terminal.print(line) }
    }

    /// What the client is told at the beginning of the next run.
    func configuration() -> ClientConfiguration {
        runs += 1
        return ClientConfiguration(
            run: runs, port: port, bucket: bucket, settings: options.client,
            workingDirectory: clientDirectory, timeScale: options.timeScale,
            seed: options.served.seed)
    }

    /// Ends adapter and backend, and tells of the faults.
    func close(_ done: @escaping () -> Void) {
        driver.stop { [self] in
            driver.record(with: nil)
            screen.finish()
            server.assumeIsolated { server in
                server.stop()
                let lines = narrator.lastLines(at: loop.now, server.faultAccounts)
                if !lines.isEmpty { Terminal.print("\n" + lines.joined(separator: "\n")) }
            }
            done()
        }
    }
}
