import EventLoop

/// The calls that a client still owes an answer to, each with its deadline. Confined to the loop.
final class OpenCalls {
    enum Answer {
        case hello(ClientHello)
        case reply(ClientReply)
    }

    private struct Call {
        let label: String
        let limit: Duration?
        var timer: LoopTimer?
        /// How long the client had starved when this was asked, or when its time was extended.
        var starvation: Duration
        /// So often more it is waited for a client that is about to run.
        var patience = 10
        let answer: (Answer) -> Void
    }

    private let loop: EventLoop
    private var calls: [Int: Call] = [:]

    /// Called with the call's label and limit when its time is over and it is still open.
    var onDeadline: (_ id: Int, _ limit: Duration) -> Void = { _, _ in }
    /// How long the client has wanted to run so far while the machine did not let it.
    var starvation: () -> Duration = { .zero }

    init(loop: EventLoop) { self.loop = loop }

    deinit { cancelTimers() }

    /// The oldest call's label: what the client is busy with.
    var oldest: String? { calls.min { $0.key < $1.key }?.value.label }

    /// The oldest call that was due at once: not one that waits for the network or for a moment.
    var oldestUrgent: String? {
        calls.filter { $0.value.limit != nil }.min { $0.key < $1.key }?.value.label
    }

    func label(of id: Int) -> String? { calls[id]?.label }

    func contains(_ label: String) -> Bool { calls.values.contains { $0.label == label } }

    /// - Parameter limit: nil where the answer waits for the network or for a moment.
    func add(
        _ id: Int, _ label: String, within limit: Duration?, _ answer: @escaping (Answer) -> Void
    ) {
        let timer = limit.map { makeTimer(id, after: $0, $0) }
        calls[id] = Call(
            label: label, limit: limit, timer: timer, starvation: starvation(), answer: answer)
    }

    private func makeTimer(_ id: Int, after delay: Duration, _ limit: Duration) -> LoopTimer {
        loop.realTimer(after: delay) { [weak self] in
            if self?.calls[id] != nil { self?.onDeadline(id, limit) }
        }
    }

    /// Gives a call whose time is over as much more as its client has starved meanwhile; false where
    /// that is not worth mentioning.
    ///
    /// - Parameter isRunnable: whether the client runs, or would if the machine let it.
    func isExtended(_ id: Int, isRunnable: Bool) -> Bool {
        guard let call = calls[id], let limit = call.limit else { return false }
        let starved = starvation() - call.starvation
        if starved > Self.tolerance {
            calls[id]?.starvation += starved
            calls[id]?.timer = makeTimer(id, after: starved, limit)
            return true
        }
        guard isRunnable, call.patience > 0 else { return false }
        calls[id]?.patience -= 1
        calls[id]?.timer = makeTimer(id, after: Self.tolerance, limit)
        return true
    }

    private static let tolerance = Duration.milliseconds(50)

    /// For a call that is answered with anything but a hello.
    func add(
        _ id: Int, _ label: String, within limit: Duration?,
        reply: @escaping (ClientReply) -> Void
    ) {
        add(id, label, within: limit) { answer in
            if case .reply(let answer) = answer { reply(answer) }
        }
    }

    func settle(_ id: Int, _ answer: Answer) {
        guard let call = calls.removeValue(forKey: id) else { return }
        call.timer.map(loop.cancel)
        call.answer(answer)
    }

    /// Nobody will answer these any more: each gets `lost`, in order, once the caller has returned.
    func loseAll() {
        let lost = calls.sorted { $0.key < $1.key }.map(\.value)
        cancelTimers()
        calls = [:]
        loop.realTimer(after: .zero) { for call in lost { call.answer(.reply(.lost)) } }
    }

    private func cancelTimers() {
        for call in calls.values { call.timer.map(loop.cancel) }
    }
}
