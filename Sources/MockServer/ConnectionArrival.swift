import EventLoop
import FaultEngine
import HTTPEngine
import StorageModel

/// A connection of which no byte was read yet, on its way through the faults of `connect`. Confined to
/// the server's actor.
final class ConnectionArrival {
    let id: ConnectionID
    var plan: FaultPlan
    var record: ExchangeRecord
    var firing: FaultInjector.Firing?
    var nextAction = 0
    /// Why it stands still.
    var wait: ExchangeRun.Wait?
    var timer: LoopTimer?
    /// Bytes that go out without a request, and the pauses between them.
    var steps: [WireStep] = []
    /// The handshake that follows, where there is one.
    var tls = TLSPlan()

    init(id: ConnectionID, plan: FaultPlan, record: ExchangeRecord) {
        self.id = id
        self.plan = plan
        self.record = record
    }

    /// For the report of a run in which nothing can happen any more.
    var waitText: String? {
        wait.map { "connection \(id.ordinal) waits at connect for \($0.text)" }
    }
}
