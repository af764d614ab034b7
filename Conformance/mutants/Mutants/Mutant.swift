import ClientDriver
package import CloudStorage
import EventLoop
import ReferenceDriver
package import ScenarioRunner
import StorageModel

/// The reference client with one mistake. What runs it is a test: nothing of the product makes one.
package struct Mutant: Sendable, CustomStringConvertible {
    /// Where the mistake is made.
    package enum Hook: Sendable {
        /// In the tables and constants by which the client's transfers go.
        case behaviour(@Sendable (inout StorageBehaviour) -> Void)
        /// In its requests, or in what it makes of answers.
        case wire(WireMistake)
        /// In what it is told to do, or in what it tells.
        case reports(Mistake)
    }

    /// Kebab case, unique.
    package let name: String
    /// What it does, after "The client".
    package let mistake: String
    /// The published rules that it breaks.
    package let rules: [String]
    package let hook: Hook
    /// A line of a failure names the mistake when it has every word of one of these lists.
    package let says: [[String]]
    /// Made by `DrawnMutants`.
    package let isDrawn: Bool

    package init(
        _ name: String, _ mistake: String, breaks rules: [String], says: [[String]],
        isDrawn: Bool = false, _ hook: Hook
    ) {
        self.name = name
        self.mistake = mistake
        self.rules = rules
        self.says = says
        self.isDrawn = isDrawn
        self.hook = hook
    }

    package var description: String { name }

    /// The tables and constants of this client.
    package var behaviour: StorageBehaviour {
        var behaviour = StorageBehaviour.documented
        if case .behaviour(let change) = hook { change(&behaviour) }
        return behaviour
    }

    /// True where a failure's line says what this client does wrong.
    package func isNamed(by line: String) -> Bool {
        says.contains { words in words.allSatisfy { line.contains($0) } }
    }

    /// A client of its own for each scenario.
    package var source: ClientSource {
        ClientSource(isKept: false) { [behaviour, hook] loop in
            var (wire, reports) = (WireMistake?.none, Mistake())
            switch hook {
            case .behaviour: break
            case .wire(let mistake): wire = mistake
            case .reports(let mistake): reports = mistake
            }
            let honest = ReferenceDriver(loop: loop, behaviour: behaviour) { loop, configuration in
                let settings = configuration.settings
                return StorageEngine(
                    loop: loop, seed: configuration.seed, idleTimeout: settings.idleTimeout,
                    connections: settings.connections ?? 8, waitScale: configuration.timeScale
                ) { [wire] transport in
                    wire.map { WrongTransport(transport, loop: loop, $0) } ?? transport
                }
            }
            return WrongDriver(honest, reports)
        }
    }

    /// The reference client through the same hooks, without a mistake.
    package static let honest = Mutant(
        "honest", "makes no mistake", breaks: [], says: [], .behaviour { _ in })

    /// The parts of the client that differ from the honest one.
    package var parts: [String] {
        switch hook {
        case .wire: return ["wire"]
        case .reports: return ["reports"]
        case .behaviour: return Self.parts(of: behaviour)
        }
    }

    private static func parts(of one: StorageBehaviour) -> [String] {
        let honest = StorageBehaviour.documented
        var parts: [String] = []
        if one.life != honest.life { parts.append("life") }
        if one.progress != honest.progress { parts.append("progress") }
        if one.checks != honest.checks { parts.append("checks") }
        if one.headers != honest.headers { parts.append("headers") }
        if one.retries.answers != honest.retries.answers { parts.append("answers") }
        if one.retries.breaks != honest.retries.breaks { parts.append("breaks") }
        if one.retries.requests != honest.retries.requests { parts.append("waits") }
        var rest = one.retries
        rest.answers = honest.retries.answers
        rest.breaks = honest.retries.breaks
        rest.requests = honest.retries.requests
        if rest != honest.retries { parts.append("retries") }
        return parts
    }
}
