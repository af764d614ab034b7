import CEpoll
import Glibc

/// What other threads hand to a loop, and the bell that wakes it. From any thread.
final class LoopInbox: Sendable {
    enum Item {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    enum Outcome {
        case taken
        /// The loop has ended: the item is not kept.
        case ended
        /// The loop has ended; the item is the first one, and somebody has to run what is here.
        case endedAndIdle
    }

    private struct State {
        var items: [Item] = []
        var isSignalled = false
        var isEnded = false
        var isDrained = true
    }

    /// Readable while something is here.
    let bell: Int32
    private let state = Lock(State())

    init() throws(LoopError) {
        bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard bell >= 0 else { throw LoopError(call: "eventfd", number: errno) }
    }

    deinit { close(bell) }

    var isEmpty: Bool { state.withLock { $0.items.isEmpty } }

    /// Keeps the item for the loop; after its end only jobs are kept.
    func append(_ item: Item) -> Outcome {
        let (outcome, rings) = state.withLock { state -> (Outcome, Bool) in
            if state.isEnded {
                guard case .job = item else { return (.ended, false) }
                state.items.append(item)
                defer { state.isDrained = false }
                return (state.isDrained ? .endedAndIdle : .taken, false)
            }
            state.items.append(item)
            defer { state.isSignalled = true }
            return (.taken, !state.isSignalled)
        }
        if rings {
            var one: UInt64 = 1
            write(bell, &one, 8)
        }
        return outcome
    }

    /// Exchanges the items for an empty array.
    func take(into batch: inout [Item]) {
        state.withLock { state in
            swap(&state.items, &batch)
            state.isSignalled = false
            if state.isEnded, batch.isEmpty { state.isDrained = true }
        }
    }

    func silence() {
        var value: UInt64 = 0
        read(bell, &value, 8)
    }

    /// From now on nobody is awake to take work; true when something is left that must be run.
    func end() -> Bool {
        state.withLock { state in
            state.isEnded = true
            state.isDrained = state.items.isEmpty
            return !state.isDrained
        }
    }
}
