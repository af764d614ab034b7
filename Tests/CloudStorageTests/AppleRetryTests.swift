import StorageModel
import Testing

@testable import CloudStorage

@Suite("Retries of the behaviour apple")
struct AppleRetryTests {
    private static func budget(
        _ limit: Duration, seed: UInt64 = 1, scale: Double = 1
    ) -> RetryBudget {
        RetryBudget(
            limit: limit, random: SplitMix64(seed: seed), waitScale: scale, rule: .appleRequest)
    }

    /// Waits until the budget gives up.
    private static func waits(_ budget: RetryBudget) -> [Duration] {
        var (budget, now, waits) = (budget, Duration.zero, [Duration]())
        while case .again(let wait) = budget.failed(at: now, lastByte: now), waits.count < 100 {
            waits.append(wait)
            now += wait
        }
        return waits
    }

    /// Source: firebase-ios-sdk, `FirebaseStorage/Tests/Unit/StorageTests.swift`.
    @Test(
        "A limit becomes the wait that is too long",
        arguments: [
            (1, 1), (2, 2), (4, 4), (10, 8), (20, 16), (30, 16), (40, 32), (50, 32), (60, 32),
            (120, 64), (600, 512), (0, 1),
        ])
    func tooLong(limit: Int, wait: Int) {
        #expect(RetryRule.tooLongWait(for: .seconds(limit)) == .seconds(wait))
    }

    @Test(
        "So many tries fit into a limit",
        arguments: [(0, 0), (1, 0), (2, 1), (4, 2), (10, 3), (30, 4), (60, 5), (120, 6), (600, 9)])
    func tries(limit: Int, tries: Int) {
        for seed in 0..<50 as Range<UInt64> {
            let waits = Self.waits(Self.budget(.seconds(limit), seed: seed))
            #expect(waits.count == tries, "seed \(seed)")
        }
    }

    @Test("The first wait is one to two seconds by chance, and each is twice the one before")
    func doubling() {
        var firsts: Set<Duration> = []
        for seed in 0..<50 as Range<UInt64> {
            let waits = Self.waits(Self.budget(.seconds(600), seed: seed))
            #expect(waits[0] >= .seconds(1) && waits[0] < .seconds(2))
            for (one, next) in zip(waits, waits.dropFirst()) { #expect(next == one * 2) }
            firsts.insert(waits[0])
        }
        #expect(firsts.count > 40)
    }

    @Test("In wall time the waits shrink as the limit does, and their number stays")
    func scaled() {
        let waits = Self.waits(Self.budget(.seconds(3), scale: 0.1))
        #expect(waits.count == 4)
        #expect(waits[0] < .milliseconds(200))
    }

    @Test("Tries that last three times the longest wait are the end")
    func slowTries() {
        var budget = Self.budget(.seconds(4))
        #expect(budget.failed(at: .seconds(13), lastByte: .zero) == .giveUp(after: .zero))
        var other = Self.budget(.seconds(4))
        guard case .again = other.failed(at: .seconds(11), lastByte: .zero) else {
            Issue.record("11 s are not three times 4 s")
            return
        }
    }

    @Test("Who is asked to come again does so without end, and after that wait")
    func retryAfter() {
        var budget = Self.budget(.seconds(2))
        for round in 0..<50 {
            #expect(
                budget.failed(
                    at: .seconds(round * 10), lastByte: .zero, retryAfter: .seconds(7))
                    == .again(after: .seconds(7)))
        }
    }

    @Test("The end of all tries is told as what the last one failed with")
    func exhausted() {
        let failure = StorageFailure(.unknown, "no")
        #expect(Self.budget(.seconds(1)).exhausted(failure) == failure)
        let documented = RetryBudget(limit: .seconds(1), random: SplitMix64(seed: 1))
        #expect(documented.exhausted(failure).code == .retryLimitExceeded)
    }

    @Test("Chunks wait 1, 2, 4 ... 512 seconds, never shorter again, and then no more")
    func chunks() {
        var budget = RetryBudget(
            limit: .seconds(2), random: SplitMix64(seed: 1), rule: .appleChunk)
        for doubling in 0..<10 {
            #expect(
                budget.failed(at: .zero, lastByte: .zero) == .again(after: .seconds(1 << doubling)))
            budget.succeeded()
        }
        #expect(budget.failed(at: .zero, lastByte: .zero) == .giveUp(after: .zero))
    }

    @Test(
        "Statuses mean what the SDK takes them for",
        arguments: [
            (400, AnswerClass.refused(.unknown)), (401, .refused(.unauthenticated)),
            (402, .refused(.quotaExceeded)), (403, .refused(.unauthorized)),
            (404, .refused(.objectNotFound)), (408, .retried), (409, .refused(.unknown)),
            (410, .refused(.unknown)), (412, .refused(.unknown)), (416, .refused(.unknown)),
            (423, .refused(.unknown)), (429, .refused(.unknown)), (500, .refused(.unknown)),
            (501, .refused(.unknown)), (502, .retried), (503, .retried), (504, .retried),
            (505, .refused(.unknown)),
        ])
    func answers(status: Int, meaning: AnswerClass) {
        for place in [AnswerTable.Place.anywhere, .session, .range] {
            #expect(
                AnswerTable.apple.meaning(of: StorageReply(status: status), at: place) == meaning)
        }
    }

    @Test("A refusal by a session that is active leads to a query, but for 404")
    func refusedWhileActive() {
        for status in [400, 401, 402, 403, 408, 409, 410, 412, 429] {
            let reply = StorageReply(status: status, headers: ["X-Goog-Upload-Status": "active"])
            #expect(AnswerTable.apple.meaning(of: reply, at: .session) == .queried)
            #expect(AnswerTable.apple.meaning(of: reply, at: .anywhere) != .queried)
        }
        let gone = StorageReply(status: 404, headers: ["X-Goog-Upload-Status": "active"])
        #expect(AnswerTable.apple.meaning(of: gone, at: .session) == .refused(.objectNotFound))
    }

    @Test("A lost connection, silence and no network are tried again, and no other break is")
    func breaks() {
        let retried = TransportFault.allCases.filter { TransportTable.apple.row($0).isRetried }
        #expect(Set(retried) == [.reset, .closed, .cut, .timedOut, .offline])
        #expect(!TransportTable.apple.row(nil).isRetried)
    }

    @Test("No answer and no break is given a code that the SDK never gives")
    func codes() {
        let path = StoragePath(bucket: "b", object: "o")
        let possible: Set<StorageErrorCode> = [
            .unknown, .objectNotFound, .quotaExceeded, .unauthenticated, .unauthorized,
        ]
        for status in 300..<600 {
            let failure = StorageFailure(StorageReply(status: status), at: path, .apple)
            #expect(possible.contains(failure.code))
            #expect(possible.contains(Self.budget(.zero).exhausted(failure).code))
        }
        for fault in TransportFault.allCases {
            let failure = StorageFailure(
                TransportFailure(fault: fault, message: ""), at: path, .apple)
            #expect(failure.code == .unknown)
        }
    }
}
