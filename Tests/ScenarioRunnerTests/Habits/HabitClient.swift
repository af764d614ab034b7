import ClientDriver
import EventLoop
import ReferenceDriver
import Scenario
import ScenarioRunner
import StorageModel

@testable import CloudStorage

/// The reference client with the habits of a profile: what it tells goes through `HabitSession`, what it
/// sends through `HabitTransport`.
struct HabitClient: Sendable {
    var traits: Traits
    /// Factor on its waits between two tries: trait `retries` has their length.
    var waitScale = 1.0

    var source: ClientSource {
        ClientSource(isKept: false) { [traits, waitScale] loop in
            let wire = HabitWire()
            let honest = ReferenceDriver(loop: loop) { loop, configuration in
                let settings = configuration.settings
                return StorageEngine(
                    loop: loop,
                    transport: HabitTransport(
                        CurlTransport(loop: loop, connections: settings.connections ?? 8), loop,
                        traits, wire, waitScale),
                    seed: configuration.seed, idleTimeout: settings.idleTimeout,
                    waitScale: waitScale)
            }
            return HabitDriver(honest, traits, wire)
        }
    }
}

/// What the transport sees and the session tells. Confined to the loop.
final class HabitWire: @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.

    /// A session of an upload is being asked for, with so many bytes of metadata; the object's path.
    var willStart: (_ path: String, _ metadata: Int64) -> Void = { _, _ in }
    /// Bytes of an upload's object that went out.
    var sent: (_ path: String, _ bytes: Int64) -> Void = { _, _ in }
    /// Bytes of an upload that the server has, where the client behind does not know yet.
    var acknowledged: (_ path: String, _ bytes: Int64) -> Void = { _, _ in }
    /// The next request of a download follows a pause of one to a file.
    var goesOn = false
    /// How the exchange broke that the client behind was told of as a broken handshake.
    var hiddenBreak: TransportFault?
}
