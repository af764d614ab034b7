/// What a pattern is held against.
struct PatternInput<Atom: PatternAtom> {
    let elements: [Atom.Element]
    /// From when on, and until when, elements would have been seen.
    let begin: Duration
    let end: Duration
    var scale = TimeScale.exact

    /// True when the silence there was long enough.
    func isSilent(at index: Int, for least: Duration) -> Bool {
        silence(at: index) >= scale.least(least)
    }

    /// The time without an element before the one at `index`, or before the end.
    func silence(at index: Int) -> Duration {
        let from = index > 0 ? Atom.time(of: elements[index - 1]) : begin
        let to = index < elements.count ? Atom.time(of: elements[index]) : max(end, from)
        return to - from
    }
}

/// Runs a program over the elements, with all the states that are possible at once.
///
/// The work is at most elements times states, whatever the nesting.
struct PatternRun<Atom: PatternAtom> {
    private let program: PatternProgram<Atom>
    private let input: PatternInput<Atom>
    /// For each state the last index before which it was found possible.
    private var marks: [Int]
    /// The states that take an element or end, possible before the element at `index`.
    private(set) var states: [Int] = []
    /// How many elements the pattern has followed.
    private(set) var index = 0

    init(_ program: PatternProgram<Atom>, _ input: PatternInput<Atom>) {
        self.program = program
        self.input = input
        marks = [Int](repeating: -1, count: program.states.count)
        enter(program.start)
    }

    /// True when the elements so far are a whole that the pattern describes.
    var canEnd: Bool {
        states.contains { if case .end = program.states[$0] { true } else { false } }
    }

    /// Follows one more element; false, and nothing changes, where the pattern cannot.
    mutating func step() -> Bool {
        guard index < input.elements.count else { return false }
        let targets = states.compactMap { state -> Int? in
            guard case .take(let part, let target) = program.states[state],
                part.atom.accepts(input.elements[index])
            else { return nil }
            return target
        }
        guard !targets.isEmpty else { return false }
        index += 1
        states = []
        for target in targets { enter(target) }
        return true
    }

    /// Adds a state and those that it leads to without an element.
    private mutating func enter(_ first: Int) {
        var pending = [first]
        while let state = pending.popLast() {
            guard marks[state] != index else { continue }
            marks[state] = index
            switch program.states[state] {
            case .take, .end: states.append(state)
            case .split(let targets): pending.append(contentsOf: targets)
            case .silence(let least, _, let next):
                if input.isSilent(at: index, for: least) { pending.append(next) }
            }
        }
    }
}
