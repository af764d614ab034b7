package import ClientDriver
package import CloudStorage
package import EventLoop
package import StorageModel

/// The reference client behind the driver protocol, in this process and on the shared loop.
package final class ReferenceDriver: ClientDriver {
    package let loop: EventLoop
    private let handsOverFiles: Bool
    private let behaviour: StorageBehaviour
    private let engine: (EventLoop, ClientConfiguration) -> StorageEngine
    private var session: ReferenceSession?

    /// - Parameters:
    ///   - handsOverFiles: what was downloaded into memory is written to the file that the command
    ///     names, for a runner in another process; else it is handed over as bytes.
    ///   - behaviour: of every storage of the scenarios.
    ///   - engine: makes the engine of a scenario.
    package init(
        loop: EventLoop, handsOverFiles: Bool = false,
        behaviour: StorageBehaviour = .documented,
        engine: @escaping (EventLoop, ClientConfiguration) -> StorageEngine = ReferenceDriver
            .engine
    ) {
        self.loop = loop
        self.handsOverFiles = handsOverFiles
        self.behaviour = behaviour
        self.engine = engine
    }

    /// The behaviour that the library has under one of these names, the last one that it knows:
    /// names of a profile and of those that it is based on.
    package static func behaviour(of names: [String]) -> StorageBehaviour {
        names.reversed().compactMap(StorageBehaviour.init(named:)).first ?? .documented
    }

    /// Over libcurl, with the scenario's settings.
    package static func engine(
        _ loop: EventLoop, _ configuration: ClientConfiguration
    ) -> StorageEngine {
        let settings = configuration.settings
        return StorageEngine(
            loop: loop, seed: configuration.seed, idleTimeout: settings.idleTimeout,
            connections: settings.connections ?? 8, waitScale: configuration.timeScale)
    }

    /// What the library can do; what is missing here is not in it, or not behind this driver.
    package static let capabilities: Set<Capability> = [
        .uploadData, .uploadFile, .uploadStream, .uploadContinue, .downloadMemory, .downloadFile,
        .pause, .resume, .cancel,
        .observe, .handles, .inside, .snapshots, .snapshotTask, .metadata, .list, .delete, .url,
        .reference, .tokens, .instances, .connections, .limits, .chunkSize, .checksums,
        .localFaults, .release, .restart, .sessionRestart, .decoding, .images, .keepAlive,
        .noResend,
    ]

    /// What the library does not do with this behaviour.
    private var lacking: Set<Capability> {
        var lacking: Set<Capability> = []
        if !behaviour.comparesChecksums { lacking.insert(.checksums) }
        if !behaviour.beginsLostSessionsAnew { lacking.insert(.sessionRestart) }
        return lacking
    }

    package func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        let hello = ClientHello(
            name: "squall-reference-client", version: "1.0", profile: "\(behaviour)",
            capabilities: Self.capabilities.subtracting(lacking))
        soon { reply(.success(hello)) }
    }

    package func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        begin(configuration, sink)
        soon { reply(.result(.done)) }
    }

    private func begin(_ configuration: ClientConfiguration, _ sink: any ClientSink) {
        session?.end()
        session = ReferenceSession(
            loop: loop, configuration: configuration, sink: sink, handsOverFiles: handsOverFiles,
            behaviour: behaviour, engine: engine(loop, configuration))
    }

    package func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        guard let session else { return soon { reply(.lost) } }
        if case .restart = command.verb, command.on == nil {
            // As the end of a process: connections break, and nothing is left but what is on disk.
            guard let sink = session.sink else { return soon { reply(.lost) } }
            begin(session.configuration, sink)
            return soon { reply(.result(.done)) }
        }
        session.perform(command) { [self] answer in soon { reply(answer) } }
    }

    package func sync(_ reply: @escaping (ClientReply) -> Void) {
        // Callbacks are work on the loop: what is queued now runs before this. In wall time bytes that
        // are in a socket already count too; the loop looks at its sockets once in each turn, and
        // a turn reads a piece of at least 16 KiB.
        turn(loop.time == nil ? 128 : 1) { reply(.result(.done)) }
    }

    private func turn(_ count: Int, _ work: @escaping () -> Void) {
        guard count > 0 else { return work() }
        soon { [self] in turn(count - 1, work) }
    }

    package func end(_ reply: @escaping (ClientReply) -> Void) {
        session?.end()
        session = nil
        soon { reply(.result(.done)) }
    }

    package func stop(_ reply: @escaping () -> Void) {
        session?.end()
        session = nil
        soon(reply)
    }

    /// On the loop, after the caller has returned; counted by the virtual clock.
    private func soon(_ work: @escaping () -> Void) {
        let work = OnLoop(work)
        loop.post { work.value() }
    }
}

/// Carries a value through a `@Sendable` closure that runs on the loop.
struct OnLoop<Value>: @unchecked Sendable {
    // Invariant: made and used on the loop's thread alone.
    let value: Value

    init(_ value: Value) { self.value = value }
}
