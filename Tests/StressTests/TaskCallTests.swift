import CloudStorage
import EventLoop
import Stress
import Testing

/// Every call in every state, from outside and from inside every callback that there can have been.
@Suite("Calls of a task")
struct TaskCallTests {
    private static let loop = Result { try EventLoop() }

    private static let states = ManualTask.ways.map(\.state)

    /// What observers are told after the call, when a stop and a success are reported next. Calls that
    /// are not named here change nothing.
    private static let expected: [String: [TaskCall: String]] = [
        "waiting": [
            .pass: "resume progress success", .pause: "resume pause", .cancel: "failure",
        ],
        "held": [
            .pass: "resume pause", .resume: "resume pause resume progress success",
            .cancel: "failure",
        ],
        "released": [
            .pass: "resume pause resume progress success", .pause: "resume pause",
            .cancel: "failure",
        ],
        "running": [.pass: "progress success", .pause: "pause", .cancel: "failure"],
        "running on": [.pass: "progress success", .pause: "pause", .cancel: "failure"],
        "pausing": [.pass: "pause", .resume: "pause resume", .cancel: "failure"],
        "resuming": [.pass: "pause resume", .pause: "pause", .cancel: "failure"],
        "paused": [.pass: "", .resume: "resume", .cancel: "failure"],
        "finishing": [.pass: "progress success"],
        "succeeded": [.pass: ""], "failed": [.pass: ""], "cancelled": [.pass: ""],
        "cancelled before the start": [.pass: ""],
    ]

    private static let looks: [String: StorageTaskStatus] = [
        "waiting": .unknown, "held": .unknown, "released": .unknown, "running": .resume,
        "running on": .progress, "pausing": .pause, "resuming": .pause, "paused": .pause,
        "finishing": .progress, "succeeded": .success, "failed": .failure,
        "cancelled": .failure, "cancelled before the start": .failure,
    ]

    private func task(in state: String) throws -> ManualTask {
        let manual = ManualTask(loop: try Self.loop.get())
        manual.perform(try #require(ManualTask.ways.first { $0.state == state }).steps)
        return manual
    }

    /// What the recorders are told after the call, by the table.
    private func wanted(_ state: String, _ call: TaskCall) -> [StorageTaskStatus] {
        let cells = Self.expected[state] ?? [:]
        let names = (cells[call] ?? cells[.pass] ?? "nothing is said").split(separator: " ")
        let all = names.compactMap { name in
            StorageTaskStatus.allCases.first { "\($0)" == name }
        }
        switch call {
        case .removeEverybody: return []
        case .removeAll(let status): return all.filter { $0 != status }
        default: return all
        }
    }

    @Test("Do from outside what the table says", arguments: states)
    func outside(state: String) throws {
        for call in TaskCall.allCases + [.pass] {
            let manual = try task(in: state)
            manual.queue.drain()
            let before = manual.seen.log
            #expect(manual.task.snapshot.status == Self.looks[state], "\(state)")
            let told = manual.call(call)
            manual.goOn()
            let after = Array(manual.seen.log.dropFirst(before.count))
            #expect(after == wanted(state, call), "\(state), \(call)")
            check(told(), call, after: after, end: before.last, "\(state), \(call)")
            #expect(manual.seen.completions.count <= 1, "\(state), \(call)")
            #expect(manual.seen.runners == (state == Self.states.last ? 0 : 1) || call == .cancel)
            manual.end()
        }
    }

    /// A new observer is told what the recorders are; one that comes after the end, that.
    private func check(
        _ told: [StorageTaskStatus]?, _ call: TaskCall, after: [StorageTaskStatus],
        end: StorageTaskStatus?, _ place: String
    ) {
        guard let told, case .observe(let status) = call else { return }
        let isOver = end == .success || end == .failure
        let wanted = isOver ? (status == end ? [status] : []) : after.filter { $0 == status }
        #expect(told == wanted, "\(place)")
    }

    /// The events that there are when a state is reached, and nil for the completion.
    private func callbacks(of state: String) throws -> [StorageTaskStatus?] {
        let manual = try task(in: state)
        manual.queue.drain()
        defer { manual.end() }
        return manual.seen.log + (manual.seen.completions.isEmpty ? [] : [nil])
    }

    @Test(
        "Do inside each callback what they do outside, behind what was told before",
        arguments: states)
    func inside(state: String) throws {
        for place in try callbacks(of: state) {
            for call in TaskCall.allCases + [.pass] {
                let manual = try task(in: state)
                let history = try callbacks(of: state).compactMap { $0 }
                var told: (() -> [StorageTaskStatus]?)?
                manual.seen.inside = { status in
                    guard told == nil, status == place else { return }
                    told = manual.call(call)
                }
                manual.queue.drain()
                manual.goOn()
                let site = "\(state), \(call) inside \(place.map { "\($0)" } ?? "completion")"
                #expect(told != nil, "\(site): no such callback")
                let log = manual.seen.log
                let kept = kept(history, place, call)
                #expect(log == kept + wanted(state, call), "\(site)")
                manual.seen.inside = nil
                manual.end()
            }
        }
    }

    /// What was queued before a removal inside a callback is not told to who was removed there.
    private func kept(
        _ history: [StorageTaskStatus], _ place: StorageTaskStatus?, _ call: TaskCall
    ) -> [StorageTaskStatus] {
        guard let place, let turn = history.firstIndex(of: place) else { return history }
        let rest = history[(turn + 1)...]
        switch call {
        case .removeEverybody: return Array(history[...turn])
        case .removeAll(let status): return history[...turn] + rest.filter { $0 != status }
        default: return history
        }
    }

    @Test("Leave no observer behind that was removed after the end and before its call")
    func lateRemoval() throws {
        let manual = try task(in: "succeeded")
        manual.queue.drain()
        let told = Lock(0)
        let handle = manual.task.observe(.success) { _ in told.withLock { $0 += 1 } }
        manual.task.observe(.success) { _ in told.withLock { $0 += 10 } }
        manual.task.removeObserver(withHandle: handle)
        manual.queue.drain()
        #expect(told.withLock { $0 } == 10)
        manual.end()
    }

    @Test("Open nothing for a task that was cancelled before its start")
    func cancelledEarly() throws {
        let manual = try task(in: "waiting")
        manual.task.cancel()
        manual.goOn()
        #expect(manual.seen.runners == 0)
        #expect(manual.seen.log == [.failure])
        #expect(manual.seen.completions == [.failure])
        manual.end()
    }
}
