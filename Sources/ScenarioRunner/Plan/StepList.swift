import FaultEngine
import Scenario
import StorageModel

/// The steps of a scenario in one row: what is inside `repeat` is written out round by round.
struct StepList {
    struct Entry {
        enum Work {
            /// A step that somebody carries out.
            case step(StepVerb)
            /// A place in a `repeat`: its beginning, the end of a round, its end.
            case mark
        }

        var place: SourcePlace
        /// With its round inside `repeat`: `up#3`.
        var name: String?
        var work: Work
        var instance: String?
        var isInside = false
        /// Its moment; nil: once all of `after` were carried out.
        var when: Trigger?
        /// Added to its moment.
        var delay: Duration?
        /// Entries that must have been carried out before it can have its moment.
        var after: [Int] = []
        /// The round's beginning: a moment before it does not count.
        var activation: Int?
    }

    private(set) var entries: [Entry] = []
    /// For each name given inside `repeat`, those of its rounds in order.
    private(set) var rounds: [String: [String]] = [:]

    init(_ steps: [Step]) { _ = append(steps, above: nil, activation: nil) }

    /// Returns the entries of these steps themselves.
    private mutating func append(
        _ steps: [Step], above: Int?, activation: Int?
    ) -> [Int] {
        var above = above
        var own: [Int] = []
        for step in steps {
            let place = append(step, above: above, activation: activation)
            own.append(place)
            above = place
        }
        return own
    }

    private mutating func append(_ step: Step, above: Int?, activation: Int?) -> Int {
        var entry = Entry(place: step.place, name: step.name, work: .step(step.verb))
        entry.instance = step.instance
        entry.isInside = step.isInside
        entry.when = step.when
        entry.delay = step.after
        entry.after = step.when == nil ? above.map { [$0] } ?? [] : []
        entry.activation = activation
        guard case .repeat(let loop) = step.verb else { return add(waiting(entry, above)) }
        entry.work = .mark
        entry.name = nil
        let begin = add(entry)
        return append(loop, of: step, begin: begin)
    }

    /// A `wait` is a moment and nothing else.
    private func waiting(_ entry: Entry, _ above: Int?) -> Entry {
        guard case .step(.wait(let wait)) = entry.work else { return entry }
        var entry = entry
        entry.work = .mark
        switch wait {
        case .duration(let duration): entry.delay = (entry.delay ?? .zero) + duration
        case .trigger(let trigger):
            entry.when = entry.when.map { .all([$0, trigger]) } ?? trigger
            entry.after = above.map { [$0] } ?? []
        }
        return entry
    }

    private mutating func append(_ loop: RepeatStep, of step: Step, begin: Int) -> Int {
        var last = begin
        for round in 1...max(1, loop.count) where round <= loop.count {
            let steps = loop.steps(ofRound: round)
            let names = RoundNames(steps: steps, round: round)
            for name in RoundNames.names(in: steps) {
                rounds[name, default: []].append(names(name))
            }
            var start = last
            if round > 1, loop.gap(afterRound: round - 1) > .zero {
                var gap = Entry(place: step.place, work: .mark)
                gap.after = [last]
                gap.delay = loop.gap(afterRound: round - 1)
                start = add(gap)
            }
            let own = append(steps.map(names.step), above: start, activation: start)
            var end = Entry(place: step.place, work: .mark)
            end.after = own
            last = add(end)
        }
        var end = Entry(place: step.place, name: step.name, work: .mark)
        end.after = [last]
        return add(end)
    }

    private mutating func add(_ entry: Entry) -> Int {
        entries.append(entry)
        return entries.count - 1
    }
}
