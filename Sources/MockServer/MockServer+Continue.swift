import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel

// Clients that wait for 100 (Continue) before they send a body.
extension MockServer {
    /// A client that does not wait is not concerned: no rule fires on it for this.
    func answerExpectation(_ fault: ContinueFault, _ run: ExchangeRun) {
        let exchange = run.exchange
        guard run.moment == .requestHead, exchange.expectsContinue else { return }
        switch fault {
        case .withhold: exchange.withholdContinue()
        case .refuse: refuseExpectation(run)
        case .delay(let time):
            exchange.withholdContinue()
            // Set before the exchange's own timer, so that it is sent before what follows.
            let ordinal = run.record.ordinal
            _ = after(time) { $0.runs[ordinal]?.exchange.sendContinue() }
            park(run, .delay, for: time)
        case .twice:
            exchange.withholdContinue()
            exchange.sendContinue()
            exchange.sendContinue()
        }
    }

    private func refuseExpectation(_ run: ExchangeRun) {
        run.forced = ForcedResponse(status: 417).response(wallClock: store.time)
    }
}
