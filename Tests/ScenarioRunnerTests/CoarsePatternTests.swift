import EventMatching
import StorageModel
import Testing

@testable import ScenarioRunner

@Suite("Coarse patterns")
struct CoarsePatternTests {
    private typealias Kind = TransferEvent.Kind

    private func excludes(_ pattern: [String], _ kinds: [TransferEvent.Kind]) throws -> Bool {
        let parts = try pattern.map { try EventPattern(parsing: $0) }
        return EventStream.coarse(parts).excludes(kinds)
    }

    @Test(
        "Excludes what comes too seldom, too often, or where it cannot",
        arguments: [
            (["resume", "progress+", "success"], [Kind.resume, .success]),
            (["resume", "progress+", "success"], [.progress, .success]),
            (["resume", "progress+", "success"], [.resume, .progress]),
            (["resume", "progress+", "success"], [.resume, .progress, .success, .success]),
            (["resume", "progress x3", "success"], [.resume, .progress, .progress, .success]),
            (["resume", "progress x..1", "success"], [.resume, .progress, .progress, .success]),
            (["resume", "pause", "resume", "success"], [.resume, .success]),
            (["failure"], []),
            ([], [.resume]),
        ])
    func excludes(pattern: [String], kinds: [TransferEvent.Kind]) throws {
        #expect(try excludes(pattern, kinds))
    }

    @Test(
        "Excludes nothing that the pattern takes",
        arguments: [
            (["resume", "progress+", "success"], [Kind.resume, .progress, .progress, .success]),
            (["resume?", "progress*", "success"], [.success]),
            (["resume", "progress x2..3", "success"], [.resume, .progress, .progress, .success]),
            ([], []),
            (["resume*"], []),
        ])
    func takes(pattern: [String], kinds: [TransferEvent.Kind]) throws {
        #expect(try !excludes(pattern, kinds))
    }

    @Test("Alternatives, repeated sequences and silences are read too")
    func nested() {
        func atom(_ kind: Kind, _ repetition: Repetition = .once) -> EventPattern {
            .atom(.event(EventCondition(kind)), repetition)
        }
        let rounds = EventPattern.sequence(
            [atom(.pause), .atom(.quiet(.seconds(1)), .once), atom(.resume)],
            Repetition(lower: 2, upper: 2))
        let end = EventPattern.any([[atom(.success)], [atom(.progress, .any), atom(.failure)]])
        let coarse = EventStream.coarse([rounds, end])
        #expect(!coarse.excludes([.pause, .resume, .pause, .resume, .success]))
        #expect(!coarse.excludes([.pause, .resume, .pause, .resume, .progress, .failure]))
        #expect(coarse.excludes([.pause, .resume, .success]))
        #expect(coarse.excludes([.pause, .resume, .pause, .resume]))
        #expect(coarse.excludes([.pause, .resume, .pause, .resume, .success, .failure]))
        #expect(coarse.excludes([.pause, .pause, .resume, .resume, .success]))
    }

    @Test("Never excludes a stream that the matcher takes", arguments: 0..<400)
    func isCoarser(seed: Int) {
        var draw = Draw(seed: UInt64(seed), scenario: "pattern")
        let pattern = (0..<3).map { _ in Self.pattern(&draw, depth: 2) }
        let coarse = EventStream.coarse(pattern)
        var taken = 0
        for _ in 0..<200 {
            let kinds = (0..<Int(draw.number(below: 6))).compactMap { _ in
                draw.pick(Kind.allCases)
            }
            let events = kinds.map { TransferEvent(kind: $0) }
            let isTaken = EventMatcher(pattern).difference(from: events, end: .zero) == nil
            if isTaken { taken += 1 }
            #expect(!isTaken || !coarse.excludes(kinds), "\(pattern) \(kinds)")
        }
    }

    private static func pattern(_ draw: inout Draw, depth: Int) -> EventPattern {
        let lower = Int(draw.number(below: 3))
        let repetition = Repetition(
            lower: lower,
            upper: draw.number(below: 3) == 0 ? nil : lower + Int(draw.number(below: 3)))
        switch depth > 0 ? draw.number(below: 4) : 0 {
        case 2:
            return .any((0..<2).map { _ in [pattern(&draw, depth: depth - 1)] })
        case 3:
            let parts = (0..<2).map { _ in pattern(&draw, depth: depth - 1) }
            return .sequence(parts, repetition)
        default:
            let kind = draw.pick(Kind.allCases) ?? .resume
            return .atom(.event(EventCondition(kind)), repetition)
        }
    }
}
