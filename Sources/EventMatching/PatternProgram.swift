/// A pattern written out as states: repetitions are copied, so that a state needs no counter.
///
/// Source: K. Thompson, "Regular Expression Search Algorithm", 1968.
struct PatternProgram<Atom: PatternAtom> {
    enum State {
        /// Takes one element that fits.
        case take(Part, next: Int)
        /// Takes nothing; there must be a silence.
        case silence(Duration, Part, next: Int)
        case split([Int])
        case end
    }

    /// An atom where it stands in the pattern; its copies are the same part.
    struct Part: Hashable {
        let atom: Atom
        /// With its quantifier, as it is written.
        let text: String
        /// Distinct for each place in the pattern, rising from its beginning to its end.
        let number: Int
    }

    private(set) var states: [State] = []
    private var partCount = 0
    private(set) var start = 0
    /// More copies than elements change nothing.
    private let copyLimit: Int

    /// - Parameter elementCount: how many elements there will be.
    init(_ parts: [SequencePattern<Atom>], elementCount: Int) {
        copyLimit = elementCount + 1
        let end = add(.end)
        start = compile(parts, next: end)
    }

    private mutating func add(_ state: State) -> Int {
        states.append(state)
        return states.count - 1
    }

    /// Writes the states of a sequence, from behind; returns where it begins.
    private mutating func compile(_ parts: [SequencePattern<Atom>], next: Int) -> Int {
        parts.reversed().reduce(next) { compile($1, next: $0) }
    }

    private mutating func compile(_ part: SequencePattern<Atom>, next: Int) -> Int {
        switch part {
        case .atom(let atom, let repetition):
            partCount -= 1
            let part = Part(atom: atom, text: atom.text(repetition), number: partCount)
            return repeated(repetition, next: next) { program, next in
                if let silence = atom.silence {
                    return program.add(.silence(silence, part, next: next))
                }
                return program.add(.take(part, next: next))
            }
        case .any(let alternatives):
            let starts = alternatives.reversed().map { compile($0, next: next) }
            return add(.split(starts.reversed()))
        case .sequence(let parts, let repetition):
            return repeated(repetition, next: next) { $0.compile(parts, next: $1) }
        }
    }

    private mutating func repeated(
        _ repetition: Repetition, next: Int,
        _ write: (inout PatternProgram, Int) -> Int
    ) -> Int {
        let lower = min(repetition.lower, copyLimit)
        let upper = repetition.upper.flatMap { $0 < copyLimit ? $0 : nil }
        var first = next
        if let upper {
            for _ in lower..<max(lower, upper) {
                let copy = write(&self, first)
                first = add(.split([copy, next]))
            }
        } else {
            let loop = add(.split([]))
            let copy = write(&self, loop)
            states[loop] = .split([copy, next])
            first = loop
        }
        for _ in 0..<lower { first = write(&self, first) }
        return first
    }
}
