import EventLoop
import FaultEngine
package import StorageModel

/// An exchange that stands still at a gate.
package struct GateWaiter: Hashable, Sendable {
    package let record: ExchangeRecord
    /// Where it stands, as the scenario language writes it: `request-body 64KiB`.
    package let place: String
    /// Since when, on the scenario's clock.
    package let since: Duration
}

/// A gate that some fault or trigger names.
package struct GateState: Hashable, Sendable {
    package let name: String
    /// When it was released; nil: whoever comes to it waits.
    package let released: Duration?
    /// In the order of the journal.
    package let waiting: [GateWaiter]
}

extension MockServer {
    /// Every gate that is named by a fault or a trigger, in the order in which they were first named.
    package var gates: [GateState] {
        injector.gates.map { gate in
            GateState(name: gate.name, released: gate.released, waiting: waiters(at: gate.name))
        }
    }

    /// Forgets the gate's release: whoever comes to it now waits again.
    package func closeGate(_ name: String) { injector.closeGate(name) }

    /// Lets go those who wait at the gate now; it stays closed for whoever comes later.
    package func openGateOnce(_ name: String) {
        openGate(name)
        closeGate(name)
    }

    private func waiters(at gate: String) -> [GateWaiter] {
        runs.values.sorted { $0.record.ordinal < $1.record.ordinal }.compactMap { run in
            guard case .trigger(let trigger)? = run.wait, trigger.gates.contains(gate) else {
                return nil
            }
            return GateWaiter(
                record: run.record, place: run.moment?.text ?? "", since: run.waitStart)
        }
    }
}
