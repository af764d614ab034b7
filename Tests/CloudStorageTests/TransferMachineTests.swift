import StorageModel
import Testing

@testable import CloudStorage

@Suite("Transfer machine")
struct TransferMachineTests {
    /// A table, and what it may do otherwise than documented.
    struct Subject: CustomTestStringConvertible, Sendable {
        let name: String
        let table: TransferTable
        var startsInSilence = false
        var pausesAtCall = false
        var resumesUntold = false

        var testDescription: String { name }

        static let all = [
            Subject(name: "documented", table: .documented),
            Subject(
                name: "upload as on Apple platforms", table: .appleUpload, startsInSilence: true,
                pausesAtCall: true),
            Subject(
                name: "download to a file as there", table: .appleFileDownload,
                startsInSilence: true, resumesUntold: true),
            Subject(
                name: "download into memory as there", table: .appleMemoryDownload,
                startsInSilence: true, resumesUntold: true),
        ]

        var licence: TransferWalk.Licence {
            TransferWalk.Licence(
                startsInSilence: startsInSilence, pausesAtCall: pausesAtCall,
                resumesUntold: resumesUntold)
        }
    }

    @Test("Keeps its rules in every sequence of four calls", arguments: Subject.all)
    func everySequence(subject: Subject) {
        var sequence = [Int](repeating: 0, count: 4)
        repeat {
            guard keepsRules(sequence, subject) else { return }
        } while Self.next(&sequence, base: TransferCall.allCases.count)
    }

    @Test("Keeps its rules in long random sequences", arguments: Subject.all, 0..<4)
    func randomSequences(subject: Subject, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5000 {
            let sequence = (0..<16).map { _ in
                Int.random(in: 0..<TransferCall.allCases.count, using: &random)
            }
            guard keepsRules(sequence, subject) else { return }
        }
    }

    private func keepsRules(_ sequence: [Int], _ subject: Subject) -> Bool {
        let calls = sequence.map { TransferCall.allCases[$0] }
        var machine = TransferMachine(table: subject.table)
        var walk = TransferWalk(licence: subject.licence)
        for call in calls { walk.take(call, &machine) }
        guard let broken = walk.brokenRule else { return true }
        Issue.record("\(subject.name): \(broken): \(calls) gave \(walk.views.map(\.status))")
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
