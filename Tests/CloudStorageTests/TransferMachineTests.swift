import StorageModel
import Testing

@testable import CloudStorage

@Suite("Transfer machine")
struct TransferMachineTests {
    @Test("Keeps its rules in every sequence of four calls")
    func everySequence() {
        var sequence = [Int](repeating: 0, count: 4)
        repeat {
            guard keepsRules(sequence) else { return }
        } while Self.next(&sequence, base: TransferCall.allCases.count)
    }

    @Test("Keeps its rules in long random sequences", arguments: 0..<4)
    func randomSequences(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5000 {
            let sequence = (0..<16).map { _ in
                Int.random(in: 0..<TransferCall.allCases.count, using: &random)
            }
            guard keepsRules(sequence) else { return }
        }
    }

    private func keepsRules(_ sequence: [Int]) -> Bool {
        let calls = sequence.map { TransferCall.allCases[$0] }
        var machine = TransferMachine()
        var walk = TransferWalk()
        for call in calls { walk.take(call, &machine) }
        guard let broken = walk.brokenRule else { return true }
        Issue.record("\(broken): \(calls) gave \(walk.views.map(\.status))")
        return false
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
        #expect(actions.map(\.text) == [".progress"])
    }

    @Test("Does not tell the last progress twice")
    func lastProgress() {
        var machine = TransferMachine(total: 100)
        _ = machine.start()
        _ = machine.progressed(generation: 1, completed: 100, total: nil)
        let actions = machine.succeeded(generation: 1, completed: 100, metadata: nil)
        #expect(actions.map(\.text) == [".success"])
    }
}
