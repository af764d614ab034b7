import ClientDriver
import EventLoop
import ReferenceDriver
import Scenario
import StorageModel

/// Stands between the runner and the reference client, and makes it a client with other habits.
final class HabitDriver: ClientDriver {
    let loop: EventLoop
    private let honest: ReferenceDriver
    private let traits: Traits
    private let wire: HabitWire
    private var session: HabitSession?

    init(_ honest: ReferenceDriver, _ traits: Traits, _ wire: HabitWire) {
        loop = honest.loop
        self.honest = honest
        self.traits = traits
        self.wire = wire
    }

    func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        honest.hello(reply)
    }

    func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        var configuration = configuration
        switch traits.chunks {
        case .settable: break
        case .whole, .doubling: configuration.settings.chunkSize = nil
        case .fixed(let size): configuration.settings.chunkSize = size
        }
        if traits.smallUpload == .media { configuration.settings.chunkSize = nil }
        let session = HabitSession(honest, configuration, sink, traits, wire)
        self.session = session
        honest.configure(configuration, sink: session, reply)
    }

    func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        guard let session else { return honest.perform(command, reply) }
        session.perform(command, reply)
    }

    func sync(_ reply: @escaping (ClientReply) -> Void) { honest.sync(reply) }

    func end(_ reply: @escaping (ClientReply) -> Void) {
        session?.close()
        honest.end(reply)
    }

    func stop(_ reply: @escaping () -> Void) { honest.stop(reply) }
}
