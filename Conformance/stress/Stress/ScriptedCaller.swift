import CloudStorage
import EventLoop
import StorageModel

/// One of the three threads in one round.
struct ScriptedCaller: Sendable {
    private let round: ScriptedRound
    private let task: DrivenTask
    private let index: Int
    private let callCount: Int
    private let seed: UInt64

    init(_ round: ScriptedRound, _ task: DrivenTask, _ index: Int) {
        self.round = round
        self.task = task
        self.index = index
        seed = SplitMix64.derive(round.seed, "round \(round.number)", "caller \(index)")
        callCount = 8 + Int(seed % 25)
    }

    func act() {
        var random = SplitMix64(seed: seed)
        guard let meeting = round.scene.meeting else { return step(callCount, random) }
        meeting.wait()
        var wasEnded = false
        for _ in 0..<callCount { call(&random, &wasEnded) }
        round.callerEnded(task)
    }

    /// On one loop: call by call, with turns of the others in between.
    private func step(_ left: Int, _ random: SplitMix64) {
        var random = random
        guard left > 0 else { return round.callerEnded(task) }
        var wasEnded = false
        call(&random, &wasEnded)
        wait(Int.random(in: 0..<4, using: &random), left, random)
    }

    private func wait(_ turns: Int, _ left: Int, _ random: SplitMix64) {
        round.scene.callers[index].post {
            if turns > 0 { wait(turns - 1, left, random) } else { step(left - 1, random) }
        }
    }

    /// What has ended once stays as it is; what was cancelled has ended.
    private func call(_ random: inout SplitMix64, _ wasEnded: inout Bool) {
        let facts = round.recording.shared.withLock { $0.facts }
        let call = TaskCall.random(&random, removesMany: facts.hasHoles)
        TaskHand(round.recording, isInside: false).perform(call, on: task, &random)
        if call == .pass { Rendezvous.yield() }
        guard call == .cancel || call == .look else { return }
        let isEnded = Showing(task.snapshot).isEnd
        if wasEnded || (call == .cancel && !facts.mayBeTooLate), !isEnded {
            let text = "caller \(index) saw the end, or made it, and sees \(task.snapshot.status)"
            round.recording.shared.withLock { $0.looks.append(Violation(.cancelAtOnce, text)) }
        }
        wasEnded = wasEnded || isEnded
    }
}
