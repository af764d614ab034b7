import StorageModel
import Testing

@testable import CloudStorage

/// What becomes of a request that is no transfer, without a server.
@Suite("Operation machine")
struct OperationMachineTests {
    private func machine(isDeletion: Bool = false, limit: Duration = .seconds(20))
        -> OperationMachine
    {
        var machine = OperationMachine(
            path: StoragePath(bucket: "b", object: "o"), isDeletion: isDeletion,
            budget: RetryBudget(limit: limit, random: SplitMix64(seed: 1)))
        _ = machine.begin()
        return machine
    }

    private func isWait(_ action: OperationMachine.Action) -> Bool {
        if case .wait = action { true } else { false }
    }

    @Test("Tries 408, 423, 429 and 5xx again, fails at once with the rest, renews 401 once")
    func statuses() {
        for status in 300...599 {
            var machine = machine()
            let action = machine.answered(StorageReply(status: status), at: .zero)
            switch status {
            case 401:
                #expect(action == .refreshToken)
                let again = machine.answered(StorageReply(status: 401), at: .zero)
                guard case .fail(let failure) = again else {
                    Issue.record("\(again)")
                    return
                }
                #expect(failure.code == .unauthenticated)
            case 408, 423, 429, 500...599: #expect(isWait(action), "\(status)")
            default:
                guard case .fail(let failure) = action else {
                    Issue.record("\(status): \(action)")
                    return
                }
                #expect(failure.status == status)
            }
        }
    }

    @Test("Takes an object that is gone for deleted where an earlier try may have done it")
    func deletion() {
        let gone = StorageReply(status: 404)
        var plain = machine(isDeletion: true)
        guard case .fail = plain.answered(gone, at: .zero) else {
            Issue.record("a missing object was deleted")
            return
        }
        var lost = machine(isDeletion: true)
        _ = lost.broke(TransportFailure(fault: .closed, message: "", wasSent: true), at: .zero)
        #expect(lost.answered(gone, at: .zero) == .done(gone))
        var late = machine(isDeletion: true)
        _ = late.answered(StorageReply(status: 503), at: .zero)
        #expect(late.answered(gone, at: .zero) == .done(gone))
        for fault in [TransportFault.refused, .resolve] {
            var unsent = machine(isDeletion: true)
            _ = unsent.broke(TransportFailure(fault: fault, message: ""), at: .zero)
            guard case .fail(let failure) = unsent.answered(gone, at: .zero) else {
                Issue.record("\(fault)")
                return
            }
            #expect(failure.code == .objectNotFound)
        }
        var busy = machine(isDeletion: true)
        _ = busy.answered(StorageReply(status: 429), at: .zero)
        guard case .fail = busy.answered(gone, at: .zero) else {
            Issue.record("a busy server deleted it")
            return
        }
    }

    @Test("Ends exactly at the limit with the last cause underneath")
    func limit() {
        var machine = machine(limit: .seconds(20))
        var now = Duration.zero
        for round in 0..<100 {
            let reply = StorageReply(status: round.isMultiple(of: 2) ? 503 : 429)
            switch machine.answered(reply, at: now) {
            case .wait(let wait): now += wait
            case .waitAndFail(let rest, let failure):
                #expect(now + rest == .seconds(20))
                #expect(failure.code == .retryLimitExceeded)
                #expect(failure.status == reply.status)
                #expect((3...6).contains(round))
                return
            case let other: Issue.record("\(other)")
            }
        }
        Issue.record("no end")
    }
}
