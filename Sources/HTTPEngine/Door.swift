import EventLoop

/// Where exchanges, and the pieces of their downloads, stand in virtual time until everybody is idle.
/// Then one is let in: so all that its predecessor caused has happened before.
final class Door: Sendable {
    private struct State {
        var waiting: [HTTPExchange] = []
        var isAttached = false
    }

    private let state = Lock(State())

    /// Adds a stage to the clock, once.
    ///
    /// - Parameter admit: called on the loop when everybody is idle and somebody stands here.
    func attach(to time: VirtualTime, on loop: EventLoop, admit: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isAttached = true }
            return !state.isAttached
        }
        guard isFirst else { return }
        time.addStage { [weak self, weak loop] in
            guard let self, let loop, !isEmpty else { return .nothing }
            return .post(loop, admit)
        }
    }

    private var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    func add(_ exchange: HTTPExchange) { state.withLock { $0.waiting.append(exchange) } }

    func remove(_ exchange: HTTPExchange) {
        state.withLock { $0.waiting.removeAll { $0 === exchange } }
    }

    func removeAll() { state.withLock { $0.waiting = [] } }

    /// Takes out the one with the lowest key; equal keys go by the exchanges' ordinals.
    func takeFirst(_ key: (HTTPExchange) -> DoorKey) -> HTTPExchange? {
        let all = state.withLock { $0.waiting }
        let keys = all.map { (key($0), $0.ordinal) }
        guard let first = keys.indices.min(by: { keys[$0] < keys[$1] }) else { return nil }
        remove(all[first])
        return all[first]
    }
}
