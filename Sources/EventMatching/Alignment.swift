/// The cheapest way to lay a pattern and the elements side by side.
///
/// An element too much and a part too few cost 2 each, an element of the right kind with wrong
/// values 3. The costs are computed from behind, for every state and every element.
struct Alignment<Atom: PatternAtom> {
    typealias Part = PatternProgram<Atom>.Part

    enum Move: Equatable {
        case same(Part, Int)
        case differs(Part, Int)
        case missing(Part)
        case unexpected(Int)
        /// A silence that was long enough, before the element at the index.
        case silent(Part, Int)
        case notSilent(Part, Int)

        /// True where both sides agree.
        var isSame: Bool {
            switch self {
            case .same, .silent: true
            case .differs, .missing, .unexpected, .notSilent: false
            }
        }

        /// True for a move over an element.
        var takes: Bool {
            switch self {
            case .same, .differs, .unexpected: true
            case .missing, .silent, .notSilent: false
            }
        }
    }

    /// More pairs of state and element are not laid out: 4 bytes each.
    static var pairLimit: Int { 4_000_000 }

    private let program: PatternProgram<Atom>
    private let input: PatternInput<Atom>
    /// The elements laid out.
    private let range: Range<Int>
    /// Cost from (element, state) to the end.
    private var costs: [Int32]
    private var stateCount: Int { program.states.count }
    private static var impossible: Int32 { .max / 2 }

    /// Lays out the elements of `range`; what comes behind it counts as right.
    init(_ program: PatternProgram<Atom>, _ input: PatternInput<Atom>, range: Range<Int>) {
        self.program = program
        self.input = input
        self.range = range
        costs = [Int32](
            repeating: Self.impossible, count: (range.count + 1) * program.states.count)
        for index in (range.lowerBound...range.upperBound).reversed() { fill(index) }
    }

    private subscript(_ index: Int, _ state: Int) -> Int32 {
        get { costs[(index - range.lowerBound) * stateCount + state] }
        set { costs[(index - range.lowerBound) * stateCount + state] = newValue }
    }

    private mutating func fill(_ index: Int) {
        for state in program.states.indices { self[index, state] = taking(state, index) }
        var changed = true
        while changed {
            changed = false
            for state in program.states.indices.reversed() {
                let cost = staying(state, index)
                if cost < self[index, state] {
                    self[index, state] = cost
                    changed = true
                }
            }
        }
    }

    /// The cost by a move over the element at `index`, or of ending there.
    private func taking(_ state: Int, _ index: Int) -> Int32 {
        guard index < range.upperBound else {
            if case .end = program.states[state] { return 0 }
            return range.upperBound < input.elements.count ? 0 : Self.impossible
        }
        switch program.states[state] {
        case .take(let part, let next):
            let skipped = self[index + 1, state] + 2
            guard let price = price(part, index) else { return skipped }
            return min(skipped, self[index + 1, next] + price)
        case .end: return self[index + 1, state] + 2
        case .split, .silence: return Self.impossible
        }
    }

    /// The cost by a move that stays before the element at `index`.
    private func staying(_ state: Int, _ index: Int) -> Int32 {
        switch program.states[state] {
        case .take(_, let next): self[index, next] + 2
        case .silence(let least, _, let next):
            self[index, next] + (input.isSilent(at: index, for: least) ? 0 : 2)
        case .split(let targets):
            targets.reduce(Self.impossible) { min($0, self[index, $1]) }
        case .end: Self.impossible
        }
    }

    private func price(_ part: Part, _ index: Int) -> Int32? {
        if part.atom.accepts(input.elements[index]) { return 0 }
        return part.atom.resembles(input.elements[index]) ? 3 : nil
    }

    /// The moves of the cheapest way that begins in one of the states.
    func moves(from starts: [Int]) -> [Move] {
        var index = range.lowerBound
        guard var state = starts.min(by: { self[index, $0] < self[index, $1] }) else { return [] }
        var moves: [Move] = []
        var visited: Set<Int> = []
        while true {
            let reachable = closure(of: state, at: index, without: visited)
            visited.formUnion(reachable)
            guard let step = best(reachable, index) else { break }
            moves.append(step.move)
            state = step.state
            if step.takes { index += 1 }
            if step.takes || step.pays { visited = [] }
        }
        return moves
    }

    /// The states that a state leads to without a move and without a cost.
    private func closure(of state: Int, at index: Int, without visited: Set<Int>) -> [Int] {
        var found: [Int] = []
        var seen = visited
        var pending = [state]
        while let state = pending.popLast() {
            guard seen.insert(state).inserted else { continue }
            found.append(state)
            guard case .split(let targets) = program.states[state] else { continue }
            pending += targets.filter { self[index, $0] == self[index, state] }.reversed()
        }
        return found
    }

    private struct Step {
        var move: Move
        var state: Int
        var takes: Bool
        var pays: Bool
    }

    /// A move on a cheapest way; of several, one that keeps both sides together the longest.
    private func best(_ states: [Int], _ index: Int) -> Step? {
        states.flatMap { steps(from: $0, index) }
            .min { Self.rank($0.move) < Self.rank($1.move) }
    }

    private static func rank(_ move: Move) -> Int {
        switch move {
        case .same: 0
        case .silent: 1
        case .differs: 2
        case .notSilent: 3
        case .missing: 4
        case .unexpected: 5
        }
    }

    private func steps(from state: Int, _ index: Int) -> [Step] {
        let cost = self[index, state]
        var steps: [Step] = []
        func add(_ move: Move, to next: Int, takes: Bool, price: Int32) {
            guard !takes || index < range.upperBound else { return }
            guard self[takes ? index + 1 : index, next] + price == cost else { return }
            steps.append(Step(move: move, state: next, takes: takes, pays: price > 0))
        }
        switch program.states[state] {
        case .take(let part, let next):
            if index < range.upperBound, let price = price(part, index) {
                let move = price == 0 ? Move.same(part, index) : .differs(part, index)
                add(move, to: next, takes: true, price: price)
            }
            add(.missing(part), to: next, takes: false, price: 2)
            add(.unexpected(index), to: state, takes: true, price: 2)
        case .silence(let least, let part, let next):
            let holds = input.isSilent(at: index, for: least)
            add(
                holds ? .silent(part, index) : .notSilent(part, index), to: next, takes: false,
                price: holds ? 0 : 2)
        case .end: add(.unexpected(index), to: state, takes: true, price: 2)
        case .split: break
        }
        return steps
    }
}
