internal import Dispatch
internal import EventLoop

/// The user's dispatch queue as callback queue.
///
/// Each call takes one turn of the queue, so that on a serial queue it keeps its place among whatever
/// else is done there. A concurrent queue may give several turns at once: the first one does the work
/// of them all, so that there, too, calls come one by one and in order. From the call of `enqueue` until
/// the work is done it counts for the virtual clock.
final class DispatchCallbackQueue: CallbackQueue {
    typealias Work = @Sendable () -> Void

    /// The queue of storages to which nobody gave another: serial, one for the whole process.
    static let standard = DispatchQueue(label: "CloudStorage callbacks")

    /// On each queue that was given: which queue it is.
    private static let identity = DispatchSpecificKey<ObjectIdentifier>()

    private struct State {
        var incoming: [Work] = []
        /// Older work, the oldest last.
        var outgoing: [Work] = []
        var isRunning = false
        /// Turns that came while another one ran.
        var owedTurns = 0

        mutating func next() -> Work? {
            if outgoing.isEmpty {
                outgoing = incoming.reversed()
                incoming = []
            }
            return outgoing.popLast()
        }
    }

    private let queue: DispatchQueue
    private let time: VirtualTime?
    private let state = Lock(State())

    /// - Parameter time: the clock that must not move over a call; nil in wall time.
    init(_ queue: DispatchQueue, time: VirtualTime?) {
        self.queue = queue
        self.time = time
        queue.setSpecific(key: Self.identity, value: ObjectIdentifier(queue))
    }

    var isCurrent: Bool {
        DispatchQueue.getSpecific(key: Self.identity) == ObjectIdentifier(queue)
    }

    func enqueue(_ work: @escaping Work) {
        time?.begin()
        // The turn is asked for under the lock, so that turns are in the order of the works.
        state.withLock { state in
            state.incoming.append(work)
            queue.async { [self] in turn() }
        }
    }

    private func turn() {
        var work = state.withLock { state -> Work? in
            if state.isRunning {
                state.owedTurns += 1
                return nil
            }
            state.isRunning = true
            return state.next()
        }
        while let now = work {
            now()
            time?.end()
            work = state.withLock { state in
                guard state.owedTurns > 0 else {
                    state.isRunning = false
                    return nil
                }
                state.owedTurns -= 1
                return state.next()
            }
        }
    }
}
