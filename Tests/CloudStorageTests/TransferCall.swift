import StorageModel

@testable import CloudStorage

/// Everything that can happen to a transfer: calls, reports, and reports of an exchange that is no
/// longer the one that counts.
enum TransferCall: String, CaseIterable {
    case start, startInVain, pause, resume, cancel
    case progressed, stopped, finish, succeeded, failed, exceeded
    case lateProgressed, lateStopped, lateFinish, lateSucceeded, lateFailed, lateExceeded

    static let late: [TransferCall] = [
        .lateProgressed, .lateStopped, .lateFinish, .lateSucceeded, .lateFailed, .lateExceeded,
    ]

    static let failure = StorageFailure(.unknown, "broken")
    static let tooMuch = StorageFailure(.downloadSizeExceeded, "too much")
    static let vain = StorageFailure(.invalidArgument, "in vain")

    func apply(to machine: inout TransferMachine) -> [TransferMachine.Action] {
        let now = machine.generation
        switch self {
        case .start: return machine.start(total: 100)
        case .startInVain: return machine.start(problem: Self.vain)
        case .pause: return machine.pause()
        case .resume: return machine.resume()
        case .cancel: return machine.cancel()
        case .progressed: return Self.progress(&machine, now, machine.completed + 10)
        case .stopped: return machine.stopped(generation: now, completed: 50)
        case .finish: return Self.finish(&machine, now)
        case .succeeded: return Self.succeed(&machine, now)
        case .failed: return machine.failed(generation: now, Self.failure)
        case .exceeded: return machine.failed(generation: now, Self.tooMuch)
        case .lateProgressed: return Self.progress(&machine, now - 1, 99)
        case .lateStopped: return machine.stopped(generation: now - 1, completed: 51)
        case .lateFinish: return Self.finish(&machine, now - 1)
        case .lateSucceeded: return Self.succeed(&machine, now - 1)
        case .lateFailed: return machine.failed(generation: now - 1, Self.failure)
        case .lateExceeded: return machine.failed(generation: now - 1, Self.tooMuch)
        }
    }

    private static func progress(
        _ machine: inout TransferMachine, _ generation: Int, _ completed: Int64
    ) -> [TransferMachine.Action] {
        machine.progressed(generation: generation, completed: completed, total: nil)
    }

    private static func succeed(
        _ machine: inout TransferMachine, _ generation: Int
    ) -> [TransferMachine.Action] {
        machine.succeeded(generation: generation, completed: 100, metadata: nil)
    }

    private static func finish(
        _ machine: inout TransferMachine, _ generation: Int
    ) -> [TransferMachine.Action] {
        _ = machine.finish(generation: generation)
        return []
    }
}

extension TransferMachine.Action {
    /// In the words of the tests: `begin`, `.resume`.
    var text: String {
        switch self {
        case .begin: "begin"
        case .halt: "halt"
        case .abandon: "abandon"
        case .emit(let view): ".\(view.status)"
        }
    }
}

extension TransferMachine {
    /// Everything that can be seen of it.
    struct Seen: Equatable {
        let phase: TransferTable.Phase
        let generation: Int
        let view: TransferView
    }

    var seen: Seen { Seen(phase: phase, generation: generation, view: currentView) }
}
