import EventLoop

/// The calls that a client still owes an answer to, each with its deadline. Confined to the loop.
final class OpenCalls {
    enum Answer {
        case hello(ClientHello)
        case reply(ClientReply)
    }

    private struct Call {
        let label: String
        let timer: LoopTimer?
        let answer: (Answer) -> Void
    }

    private let loop: EventLoop
    private var calls: [Int: Call] = [:]

    /// Called with the call's label and limit when its time is over and it is still open.
    var onDeadline: (_ id: Int, _ limit: Duration) -> Void = { _, _ in }

    init(loop: EventLoop) { self.loop = loop }

    deinit { cancelTimers() }

    /// The oldest call's label: what the client is busy with.
    var oldest: String? { calls.min { $0.key < $1.key }?.value.label }

    func label(of id: Int) -> String? { calls[id]?.label }

    func contains(_ label: String) -> Bool { calls.values.contains { $0.label == label } }

    /// - Parameter limit: nil where the answer waits for the network or for a moment.
    func add(
        _ id: Int, _ label: String, within limit: Duration?, _ answer: @escaping (Answer) -> Void
    ) {
        let timer = limit.map { limit in
            loop.realTimer(after: limit) { [weak self] in
                if self?.calls[id] != nil { self?.onDeadline(id, limit) }
            }
        }
        calls[id] = Call(label: label, timer: timer, answer: answer)
    }

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
