import StorageModel
import Testing

@testable import EventMatching

/// Compares the matcher with a slow one that follows the meaning of a pattern word by word.
@Suite("Matcher against a naive one")
struct MatcherPropertyTests {
    /// The places to which a pattern can lead from a place.
    private static func ends(
        _ part: EventPattern, _ events: [TransferEvent], from start: Int
    ) -> Set<Int> {
        switch part {
        case .atom(let atom, let repetition):
            return repeated(repetition, from: start, count: events.count) { place in
                place < events.count && atom.accepts(events[place]) ? [place + 1] : []
            }
        case .any(let alternatives):
            return alternatives.reduce(into: []) { $0.formUnion(ends($1, events, from: start)) }
        case .sequence(let parts, let repetition):
            return repeated(repetition, from: start, count: events.count) {
                ends(parts, events, from: $0)
            }
        }
    }

    private static func ends(
        _ parts: [EventPattern], _ events: [TransferEvent], from start: Int
    ) -> Set<Int> {
        parts.reduce([start]) { places, part in
            places.reduce(into: []) { $0.formUnion(ends(part, events, from: $1)) }
        }
    }

    private static func repeated(
        _ repetition: Repetition, from start: Int, count: Int, _ once: (Int) -> Set<Int>
    ) -> Set<Int> {
        var result: Set<Int> = repetition.lower == 0 ? [start] : []
        var places: Set<Int> = [start]
        let most = repetition.upper ?? repetition.lower + count + 1
        guard most > 0 else { return result }
        for round in 1...most {
            places = places.reduce(into: []) { $0.formUnion(once($1)) }
            if round >= repetition.lower { result.formUnion(places) }
        }
        return result
    }

    private static func pattern(_ random: inout SplitMix64, depth: Int) -> EventPattern {
        let repetition: [Repetition] = [
            .once, .once, .optional, .any, .some, Repetition(lower: 2, upper: 3),
            Repetition(lower: 0, upper: 2), Repetition(lower: 2, upper: nil),
        ]
        let times = repetition.randomElement(using: &random) ?? .once
        let kinds: [TransferEvent.Kind] = [.progress, .pause, .resume]
        switch depth > 0 ? Int.random(in: 0..<4, using: &random) : 0 {
        case 2: return .sequence(patterns(&random, depth: depth - 1), times)
        case 3: return .any([patterns(&random, depth: depth - 1), patterns(&random, depth: 0)])
        default:
            let kind = kinds.randomElement(using: &random) ?? .progress
            return .atom(.event(EventCondition(kind)), times)
        }
    }

    private static func patterns(_ random: inout SplitMix64, depth: Int) -> [EventPattern] {
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in pattern(&random, depth: depth) }
    }

    private static func events(_ random: inout SplitMix64) -> [TransferEvent] {
        let kinds = ["progress:1", "pause", "resume"]
        return Samples.events(
            (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                kinds.randomElement(using: &random) ?? ""
            })
    }

    @Test("Agrees on random patterns and events, and lays every mismatch out whole")
    func agrees() {
        var random = SplitMix64(seed: 20)
        var matches = 0
        for round in 0..<3000 {
            let parts = Self.patterns(&random, depth: 2)
            let events = Self.events(&random)
            let input = PatternInput<EventAtom>(elements: events, begin: .zero, end: .seconds(99))
            let mismatch = SequenceMatch.mismatch(parts, input)
            let wanted = Self.ends(parts, events, from: 0).contains(events.count)
            #expect((mismatch == nil) == wanted, "round \(round): \(parts) against \(events)")
            guard let mismatch else {
                matches += 1
                continue
            }
            #expect(Self.isWhole(mismatch.moves, events.count), "round \(round): \(parts)")
            #expect(mismatch.parting != nil, "round \(round): \(parts)")
        }
        #expect(matches > 200)
    }

    /// True when the moves go over each event once and in order.
    private static func isWhole(_ moves: [Alignment<EventAtom>.Move], _ count: Int) -> Bool {
        let taken = moves.compactMap { move -> Int? in
            switch move {
            case .same(_, let index), .differs(_, let index), .unexpected(let index): index
            case .missing, .silent, .notSilent: nil
            }
        }
        return taken == Array(0..<count)
    }
}
