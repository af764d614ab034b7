import StorageModel
import Testing

@testable import CloudStorage

@Suite("Transfer machine")
struct TransferMachineTests {
    /// Everything that can happen to a machine, with the generation that is current.
    enum Call: String, CaseIterable {
        case start, startInVain, pause, resume, cancel, progress, lateProgress, stopped, lateStop
        case succeed, lateSuccess, fail, lateFailure

        func apply(to machine: inout TransferMachine) -> [TransferMachine.Action] {
            let now = machine.generation
            let failure = StorageFailure(.unknown, "")
            switch self {
            case .start: return machine.start(total: 100)
            case .startInVain: return machine.start(problem: failure)
            case .pause: return machine.pause()
            case .resume: return machine.resume()
            case .cancel: return machine.cancel()
            case .progress:
                return machine.progressed(
                    generation: now, completed: machine.completed + 10, total: nil)
            case .lateProgress:
                return machine.progressed(generation: now - 1, completed: 99, total: nil)
            case .stopped: return machine.stopped(generation: now, completed: 50)
            case .lateStop: return machine.stopped(generation: now - 1, completed: 50)
            case .succeed:
                return machine.succeeded(generation: now, completed: 100, metadata: nil)
            case .lateSuccess:
                return machine.succeeded(generation: now - 1, completed: 100, metadata: nil)
            case .fail: return machine.failed(generation: now, failure)
            case .lateFailure: return machine.failed(generation: now - 1, failure)
            }
        }
    }

    private static func text(_ action: TransferMachine.Action) -> String {
        switch action {
        case .begin: "begin"
        case .halt: "halt"
        case .abandon: "abandon"
        case .emit(let view): ".\(view.status)"
        }
    }

    /// Calls that bring a new machine into each phase.
    private static let ways: [(phase: String, calls: [Call])] = [
        ("waiting", []),
        ("waiting, pause", [.pause]),
        ("waiting, pause and resume", [.pause, .resume]),
        ("running", [.start]),
        ("pausing", [.start, .pause]),
        ("resuming", [.start, .pause, .resume]),
        ("paused", [.start, .pause, .stopped]),
        ("succeeded", [.start, .succeed]),
        ("failed", [.start, .fail]),
        ("cancelled", [.start, .cancel]),
    ]

    private static let expected = """
        waiting: start begin .resume | startInVain .failure | cancel .failure
        waiting, pause: start .resume .pause | startInVain .failure | cancel .failure
        waiting, pause and resume: start .resume .pause begin .resume | startInVain .failure \
        | cancel .failure
        running: pause halt | cancel abandon .failure | progress .progress \
        | succeed .progress .success | fail .failure
        pausing: cancel abandon .failure | stopped .pause | succeed .progress .success \
        | fail .failure
        resuming: cancel abandon .failure | stopped .pause begin .resume \
        | succeed .progress .success | fail .failure
        paused: resume begin .resume | cancel abandon .failure
        succeeded:
        failed:
        cancelled:
        """

    @Test("Does in every state with every call what the table says")
    func table() {
        let seen = Self.ways.map { way in
            let cells = Call.allCases.compactMap { call -> String? in
                var machine = TransferMachine()
                for earlier in way.calls { _ = earlier.apply(to: &machine) }
                let actions = call.apply(to: &machine)
                guard !actions.isEmpty else { return nil }
                return ([call.rawValue] + actions.map(Self.text)).joined(separator: " ")
            }
            return "\(way.phase):" + (cells.isEmpty ? "" : " " + cells.joined(separator: " | "))
        }
        #expect(seen.joined(separator: "\n") == Self.expected)
    }

    @Test("Keeps its rules in every sequence of four calls")
    func everySequence() {
        var sequence = [Int](repeating: 0, count: 4)
        repeat {
            guard keepsRules(sequence) else { return }
        } while Self.next(&sequence, base: Call.allCases.count)
    }

    @Test("Keeps its rules in long random sequences", arguments: 0..<4)
    func randomSequences(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5000 {
            let sequence = (0..<16).map { _ in
                Int.random(in: 0..<Call.allCases.count, using: &random)
            }
            guard keepsRules(sequence) else { return }
        }
    }

    private func keepsRules(_ sequence: [Int]) -> Bool {
        let calls = sequence.map { Call.allCases[$0] }
        var machine = TransferMachine()
        var views: [TransferView] = []
        for call in calls {
            for case .emit(let view) in call.apply(to: &machine) { views.append(view) }
        }
        guard let broken = Self.brokenRule(views) else { return true }
        Issue.record("\(broken): \(calls) gave \(views.map(\.status))")
        return false
    }

    private static func brokenRule(_ views: [TransferView]) -> String? {
        let kinds = views.map(\.status)
        let ends = kinds.indices.filter { kinds[$0] == .success || kinds[$0] == .failure }
        if ends.count > 1 { return "two ends" }
        if let end = ends.first, end != kinds.count - 1 { return "something behind the end" }
        let turns = kinds.filter { $0 == .resume || $0 == .pause }
        for (place, kind) in turns.enumerated()
        where kind != (place.isMultiple(of: 2) ? .resume : .pause) {
            return "pause and resume do not alternate"
        }
        var isPaused = true
        for kind in kinds {
            if kind == .resume { isPaused = false }
            if kind == .pause { isPaused = true }
            if isPaused, kind == .progress { return "progress while paused" }
        }
        if kinds.last == .success, let last = views.last, let before = views.dropLast().last {
            if before.status != .progress || before.completed != last.completed {
                return "no last progress"
            }
        }
        return nil
    }

    private static func next(_ digits: inout [Int], base: Int) -> Bool {
        for place in digits.indices {
            digits[place] += 1
            if digits[place] < base { return true }
            digits[place] = 0
        }
        return false
    }

    @Test("Takes over a lower number without an event, and tells what rises above it again")
    func rewind() {
        var machine = TransferMachine(total: 100)
        _ = machine.start()
        _ = machine.progressed(generation: 1, completed: 60, total: nil)
        #expect(machine.progressed(generation: 1, completed: 20, total: nil) == [])
        #expect(machine.completed == 20)
        let actions = machine.progressed(generation: 1, completed: 40, total: nil)
        #expect(actions.map(Self.text) == [".progress"])
    }

    @Test("Does not tell the last progress twice")
    func lastProgress() {
        var machine = TransferMachine(total: 100)
        _ = machine.start()
        _ = machine.progressed(generation: 1, completed: 100, total: nil)
        let actions = machine.succeeded(generation: 1, completed: 100, metadata: nil)
        #expect(actions.map(Self.text) == [".success"])
    }
}
