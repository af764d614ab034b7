import CloudStorage
package import EventLoop

/// How a callback queue behaves that must not behave so: what the checker has to notice.
package enum QueueMischief: String, Hashable, Sendable, CaseIterable {
    /// As deliveries do that are queued after the lock was released.
    case swapsNeighbours = "deliveries change places"
    case runsTwice = "a delivery is made twice"
    case losesOne = "a delivery gets lost"
    /// Progress comes when the task stands still.
    case delays = "a delivery comes far too late"
}

/// A loop as callback queue, faithful or with a mischief at every so-many-th delivery.
package final class StressQueue: CallbackQueue {
    private struct State {
        var count = 0
        var held: [@Sendable () -> Void] = []
    }

    package let loop: EventLoop
    private let mischief: QueueMischief?
    private let state = Lock(State())

    package init(loop: EventLoop, mischief: QueueMischief? = nil) {
        self.loop = loop
        self.mischief = mischief
    }

    package var isCurrent: Bool { loop.isCurrent }

    package func enqueue(_ work: @escaping @Sendable () -> Void) {
        guard let mischief else { return loop.post(work) }
        let (isChosen, held) = state.withLock { state in
            state.count += 1
            defer { state.held = [] }
            return (state.count % 23 == 0, state.held)
        }
        guard isChosen else {
            loop.post(work)
            for work in held { loop.post(work) }
            return
        }
        for work in held { loop.post(work) }
        switch mischief {
        case .swapsNeighbours:
            state.withLock { $0.held.append(work) }
            // Should nothing follow it.
            loop.post { [self] in
                let held = state.withLock { state in
                    defer { state.held = [] }
                    return state.held
                }
                for work in held { work() }
            }
        case .runsTwice:
            loop.post(work)
            loop.post(work)
        case .losesOne: loop.post(work)
        case .delays: later(work, 40)
        }
    }

    /// True for a call of an observer that is to be forgotten; never for the start and the completion.
    func loses() -> Bool {
        guard mischief == .losesOne else { return false }
        return state.withLock { state in
            state.count += 1
            return state.count % 29 == 0
        }
    }

    /// For notes, which are always taken in order.
    package func note(_ work: @escaping @Sendable () -> Void) { loop.post(work) }

    private func later(_ work: @escaping @Sendable () -> Void, _ turns: Int) {
        loop.post { [self] in if turns == 0 { work() } else { later(work, turns - 1) } }
    }
}
