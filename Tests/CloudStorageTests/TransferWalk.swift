import StorageModel

@testable import CloudStorage

/// What a sequence of calls and reports brought about, and which rule of every transfer it broke.
struct TransferWalk {
    /// What a table may do otherwise than documented.
    struct Licence {
        /// The start is not told, so that a pause may come first.
        var startsInSilence = false
        /// A pause is told before the exchange has stopped.
        var pausesAtCall = false
        /// A resume is told although the pause before it was not.
        var resumesUntold = false
    }

    private let licence: Licence
    private(set) var views: [TransferView] = []
    private var problems: [String] = []
    private var generation = 0
    /// A generation was begun and has not been stopped.
    private var isMoving = false
    private var isHalting = false

    init(licence: Licence = Licence()) { self.licence = licence }

    mutating func take(_ call: TransferCall, _ machine: inout TransferMachine) {
        let before = machine
        let actions = call.apply(to: &machine)
        if before.phase.isTerminal, !actions.isEmpty || machine.seen != before.seen {
            problems.append("\(call) does something after the end")
        }
        if TransferCall.late.contains(call), machine.seen != before.seen || !actions.isEmpty {
            problems.append("\(call) does something")
        }
        if call == .stopped, isHalting { (isMoving, isHalting) = (false, false) }
        for action in actions { take(action) }
        if machine.phase.isTerminal, !before.phase.isTerminal, actions.isEmpty {
            problems.append("\(call) ends it in silence")
        }
    }

    private mutating func take(_ action: TransferMachine.Action) {
        switch action {
        case .begin(let new):
            if isMoving, !isHalting { problems.append("two exchanges at once") }
            if new != generation + 1 { problems.append("generation \(new) after \(generation)") }
            (generation, isMoving, isHalting) = (new, true, false)
        case .halt(let halted):
            if halted != generation || !isMoving { problems.append("halts what does not move") }
            if isHalting { problems.append("halts twice") }
            isHalting = true
        case .abandon: break
        case .emit(let view):
            if view.status == .pause, isMoving, !(licence.pausesAtCall && isHalting) {
                problems.append("a pause while it moves")
            }
            views.append(view)
        }
    }

    /// The first rule that was broken.
    var brokenRule: String? { problems.first ?? brokenOrder }

    private var brokenOrder: String? {
        let kinds = views.map(\.status)
        let ends = kinds.indices.filter { kinds[$0] == .success || kinds[$0] == .failure }
        if ends.count > 1 { return "two ends" }
        if let end = ends.first, end != kinds.count - 1 { return "something behind the end" }
        let turns = kinds.filter { $0 == .resume || $0 == .pause }
        if turns.first == .pause, !licence.startsInSilence { return "a pause before the start" }
        for (one, next) in zip(turns, turns.dropFirst()) where one == next {
            if next == .pause || !licence.resumesUntold {
                return "pause and resume do not alternate"
            }
        }
        var isPaused = !licence.startsInSilence
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
}
