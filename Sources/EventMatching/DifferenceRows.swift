/// Turns the moves of an alignment into the rows that a person reads.
struct DifferenceRows<Atom: PatternAtom> {
    typealias Move = Alignment<Atom>.Move

    private let input: PatternInput<Atom>
    private let seen: (Int) -> String
    private let run: (Range<Int>) -> String
    private let cause: (Int) -> String?

    /// - Parameters:
    ///   - seen: the text of one element.
    ///   - run: the text of several neighbours in one row.
    ///   - cause: what explains an element.
    init(
        _ input: PatternInput<Atom>, seen: @escaping (Int) -> String,
        run: @escaping (Range<Int>) -> String, cause: @escaping (Int) -> String?
    ) {
        self.input = input
        self.seen = seen
        self.run = run
        self.cause = cause
    }

    func rows(of mismatch: SequenceMatch<Atom>.Mismatch) -> [Difference.Row] {
        var rows: [Difference.Row] = []
        if mismatch.skipped > 0 {
            rows.append(.init(.same, expected: "...", seen: "\(mismatch.skipped) before"))
        }
        var rest = mismatch.moves[...]
        while let move = rest.first {
            let alike = rest.prefix { Self.belongs($0, with: move) }.count
            if alike > 3, case .same(let part, let first) = move {
                rows += folded(part, first..<first + alike)
                rest = rest.dropFirst(alike)
            } else {
                rows.append(row(of: move))
                rest = rest.dropFirst()
            }
        }
        if mismatch.left > 0 {
            rows.append(.init(.same, expected: "...", seen: "\(mismatch.left) more"))
        }
        return rows
    }

    /// True for neighbours that one part of the pattern takes.
    private static func belongs(_ move: Move, with first: Move) -> Bool {
        guard case .same(let part, _) = move, case .same(let wanted, _) = first else {
            return false
        }
        return part == wanted
    }

    /// The first and the last of a run, and one row for those between, unless one has a cause.
    private func folded(
        _ part: PatternProgram<Atom>.Part, _ range: Range<Int>
    ) -> [Difference.Row] {
        var rows = [row(of: .same(part, range.lowerBound))]
        var quiet = range.lowerBound + 1
        let last = range.upperBound - 1
        for index in quiet...last where index == last || cause(index) != nil {
            rows += between(part, quiet..<index)
            rows.append(row(of: .same(part, index)))
            quiet = index + 1
        }
        return rows
    }

    private func between(
        _ part: PatternProgram<Atom>.Part, _ range: Range<Int>
    ) -> [Difference.Row] {
        switch range.count {
        case 0: return []
        case 1: return [row(of: .same(part, range.lowerBound))]
        default:
            let time = Atom.time(of: input.elements[range.lowerBound])
            return [.init(.same, time: time, expected: part.text, seen: run(range))]
        }
    }

    private func row(of move: Move) -> Difference.Row {
        switch move {
        case .same(let part, let index): taken(.same, part.text, index)
        case .differs(let part, let index): taken(.differs, part.text, index)
        case .unexpected(let index): taken(.unexpected, nil, index)
        case .missing(let part): .init(.missing, expected: part.text)
        case .silent(let part, let index):
            .init(.same, expected: part.text, seen: "(\(lasting(index)) of silence)")
        case .notSilent(let part, let index):
            .init(.missing, expected: part.text, seen: "(\(lasting(index)) of silence)")
        }
    }

    private func taken(_ mark: Difference.Mark, _ expected: String?, _ index: Int) -> Difference.Row
    {
        .init(
            mark, time: Atom.time(of: input.elements[index]), expected: expected,
            seen: seen(index), cause: cause(index))
    }

    private func lasting(_ index: Int) -> String { ReportText.time(input.silence(at: index)) }
}
