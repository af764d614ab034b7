/// Holds a pattern against elements: exact from the first to the last.
enum SequenceMatch<Atom: PatternAtom> {
    typealias Move = Alignment<Atom>.Move

    /// How far a pattern was followed, and how the two are best laid side by side.
    struct Mismatch {
        /// Elements before the first move; they are right.
        var skipped: Int
        var moves: [Move]
        /// Elements behind the last move that were not laid out.
        var left: Int
        /// What the pattern allows where the two part; `the end` where it may be over.
        var expected: [String] = []

        /// The first move that is not the same on both sides.
        var parting: Int? { moves.firstIndex { !$0.isSame } }
    }

    /// Nil when the pattern describes the elements whole.
    static func mismatch(
        _ parts: [SequencePattern<Atom>], _ input: PatternInput<Atom>
    ) -> Mismatch? {
        let count = input.elements.count
        let program = PatternProgram(parts, elementCount: count)
        var run = PatternRun(program, input)
        while run.step() {}
        if run.index == count, run.canEnd { return nil }
        let most = max(16, Alignment<Atom>.pairLimit / program.states.count)
        // Too much to lay out whole: begin a little before the place where the pattern stopped.
        let first = count > most ? max(0, run.index - most / 2) : 0
        let range = first..<min(count, first + most)
        let starts = first > 0 ? self.run(program, input, to: first).states : [program.start]
        let alignment = Alignment(program, input, range: range)
        var mismatch = Mismatch(
            skipped: first, moves: alignment.moves(from: starts), left: count - range.upperBound)
        let same = mismatch.moves.prefix { $0.isSame }.count { $0.takes }
        mismatch.expected = expected(self.run(program, input, to: first + same), program)
        return mismatch
    }

    private static func run(
        _ program: PatternProgram<Atom>, _ input: PatternInput<Atom>, to index: Int
    ) -> PatternRun<Atom> {
        var run = PatternRun(program, input)
        while run.index < index, run.step() {}
        return run
    }

    /// In the order of the pattern, each once.
    private static func expected(
        _ run: PatternRun<Atom>, _ program: PatternProgram<Atom>
    ) -> [String] {
        let parts = run.states.compactMap { state -> PatternProgram<Atom>.Part? in
            if case .take(let part, _) = program.states[state] { part } else { nil }
        }
        var texts: [String] = []
        for part in parts.sorted(by: { $0.number < $1.number }) {
            let text = part.atom.description
            if !texts.contains(text) { texts.append(text) }
        }
        return run.canEnd ? texts + ["the end"] : texts
    }
}
