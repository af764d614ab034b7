import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// The port and the link: who gets a connection, and which of them go dead.
extension MockServer {
    func apply(_ state: LinkState) {
        switch state {
        case .up: setLink(nil)
        case .down(let how, let keeps):
            if !keeps { silenceEverybody() }
            setLink(how)
        }
    }

    private func setLink(_ how: RefusalKind?) {
        let old = linkRefusal
        linkRefusal = how
        if let how { refusals[how, default: 0] += 1 }
        if let old { refusals[old, default: 0] -= 1 }
        updatePort()
    }

    /// For so long the port takes no connection.
    func refuse(for time: Duration, _ how: RefusalKind) {
        refusals[how, default: 0] += 1
        updatePort()
        let life = resets
        _ = after(time) { server in
            guard server.resets == life else { return }
            server.refusals[how, default: 0] -= 1
            server.updatePort()
        }
    }

    /// Whatever had the port shut is forgotten.
    func openPort() {
        linkRefusal = nil
        refusals = [:]
        updatePort()
    }

    /// A port that is closed for one reason refuses, whatever else there is.
    func updatePort() {
        guard let engine else { return }
        do throws(HTTPEngineError) {
            if refusals[.refuse, default: 0] > 0 {
                try engine.refuseConnections()
            } else if refusals[.blackhole, default: 0] > 0 {
                try engine.leaveUnanswered()
            } else {
                try engine.listenAgain()
            }
        } catch {
            portLost = error.description
        }
    }

    // MARK: Connections that go dead

    /// Every connection that there is goes silent for good, at once: also while bytes flow on it.
    private func silenceEverybody() {
        silenced.formUnion(connections)
        for id in arrivals.keys.sorted() { resume(id) }
        let all = runs.values.sorted { $0.record.ordinal < $1.record.ordinal }
        for run in all where silenced.contains(run.exchange.connection) {
            switch run.wait {
            case .delay, .stall, .trigger, .latency, .pace:
                resume(run.record.ordinal)
                // What came of a body is kept now: nobody asks this exchange anything more.
                if run.isAmidBody { settle(run, carriedOut: false) }
            case .step, .head: break
            case nil:
                settle(run, carriedOut: false)
                save(run)
            }
        }
        for id in connections.sorted() { engine?.deaden(id) }
        for run in all { save(run) }
    }
}
