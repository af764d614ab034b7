import EventLoop
import StorageModel

// What becomes of attempts to connect.
extension HTTPEngine {
    /// What the handler wants of the port.
    enum PortState {
        case taking
        case refusing
        case unanswered
    }

    /// The port answers nobody (RST to every SYN) until `listenAgain`; connections stay.
    package func refuseConnections() throws(HTTPEngineError) {
        portState = .refusing
        try updatePort()
    }

    /// Attempts to connect get no answer at all until `listenAgain` or `refuseConnections`;
    /// connections stay, those too that were made before and not taken up.
    ///
    /// An attempt that is under way at that end succeeds, or is refused, when the client's kernel
    /// repeats it; in virtual time the clock waits for that, so that it happens at this very moment.
    package func leaveUnanswered() throws(HTTPEngineError) {
        portState = .unanswered
        try updatePort()
    }

    /// Takes connections again, on the same port.
    package func listenAgain() throws(HTTPEngineError) {
        portState = .taking
        try updatePort()
    }

    func updatePort() throws(HTTPEngineError) {
        guard let listener, !isStopping else { return }
        let state = wantedListenerState
        guard state != listenerState else { return }
        listenerState = state
        try listener.set(state)
    }

    /// After a connection came or went.
    func connectionsChanged() {
        guard limits.connectionLimit != nil else { return }
        do throws(HTTPEngineError) { try updatePort() } catch { portFailed?(error) }
    }

    private var wantedListenerState: Listener.State {
        switch portState {
        case .refusing: return .refusing
        case .unanswered: return .unanswering
        case .taking:
            guard let limit = limits.connectionLimit, liveConnections.count >= limit.count else {
                return .taking
            }
            switch limit.beyond {
            case .refuse: return .refusing
            case .queue: return .queueing
            }
        }
    }
}
