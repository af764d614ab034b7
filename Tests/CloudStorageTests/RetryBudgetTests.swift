import StorageModel
import Testing

@testable import CloudStorage

@Suite("Retry budget")
struct RetryBudgetTests {
    private func budget(_ limit: Duration, seed: UInt64 = 1) -> RetryBudget {
        RetryBudget(limit: limit, random: SplitMix64(seed: seed))
    }

    @Test("Doubles its waits up to a minute, with at most a quarter of jitter")
    func waits() {
        for seed in 0..<200 as Range<UInt64> {
            var budget = budget(.seconds(100_000), seed: seed)
            for step in 0..<12 {
                let decision = budget.failed(at: .zero, lastByte: .zero)
                guard case .again(let wait) = decision else {
                    Issue.record("\(decision) at \(step)")
                    return
                }
                let plain = Duration.seconds(min(1 << step, 60))
                #expect(wait >= plain && wait <= plain + plain / 4, "seed \(seed) step \(step)")
            }
        }
    }

    @Test("Draws the same waits from the same seed, and others from another")
    func seeded() {
        func waits(_ seed: UInt64) -> [RetryBudget.Decision] {
            var budget = budget(.seconds(1000), seed: seed)
            return (0..<5).map { _ in budget.failed(at: .zero, lastByte: .zero) }
        }
        #expect(waits(1) == waits(1))
        #expect(waits(1) != waits(2))
    }

    @Test("Waits for the limit and gives up where the next try would come behind it")
    func limit() {
        var budget = budget(.seconds(10))
        #expect(
            budget.failed(at: .seconds(5), lastByte: .seconds(5), retryAfter: .seconds(4))
                == .again(after: .seconds(4)))
        #expect(
            budget.failed(at: .seconds(9), lastByte: .seconds(9), retryAfter: .seconds(7))
                == .giveUp(after: .seconds(6)))
        #expect(budget.failed(at: .seconds(15), lastByte: .zero) == .giveUp(after: .zero))
    }

    @Test("Counts from the last byte of the attempt that failed first")
    func outage() {
        var budget = budget(.seconds(10))
        #expect(
            budget.failed(at: .seconds(60), lastByte: .seconds(1)) == .giveUp(after: .zero))
        budget.succeeded()
        #expect(
            budget.failed(at: .seconds(60), lastByte: .seconds(58), retryAfter: .seconds(1))
                == .again(after: .seconds(1)))
        #expect(budget.silenceLimit(at: .seconds(61)) == .seconds(7))
    }

    @Test("Forgets the outage when something succeeds")
    func success() {
        var budget = budget(.seconds(10))
        for _ in 0..<5 { _ = budget.failed(at: .zero, lastByte: .zero) }
        budget.succeeded()
        guard case .again(let wait) = budget.failed(at: .seconds(100), lastByte: .seconds(100))
        else {
            Issue.record("no further try")
            return
        }
        #expect(wait < .seconds(2))
    }

    @Test("Of zero tries nothing again and limits no connecting")
    func zero() {
        var budget = budget(.zero)
        #expect(budget.failed(at: .zero, lastByte: .zero) == .giveUp(after: .zero))
        #expect(budget.connectLimit(at: .zero) == nil)
        #expect(self.budget(.seconds(3)).connectLimit(at: .zero) == .seconds(3))
    }

    @Test("Takes a Retry-After of zero for none")
    func zeroRetryAfter() {
        var budget = budget(.seconds(10))
        let decision = budget.failed(at: .zero, lastByte: .zero, retryAfter: .zero)
        guard case .again(let wait) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(wait >= .seconds(1))
    }
}
