internal import StorageModel

/// Names the mistake that a client made, from where its events part from the pattern.
struct EventMistake {
    typealias Move = Alignment<EventAtom>.Move

    private let events: [TransferEvent]
    private let input: PatternInput<EventAtom>
    private let mismatch: SequenceMatch<EventAtom>.Mismatch
    private var moves: [Move] { mismatch.moves }

    init(
        events: [TransferEvent], mismatch: SequenceMatch<EventAtom>.Mismatch,
        input: PatternInput<EventAtom>
    ) {
        self.events = events
        self.mismatch = mismatch
        self.input = input
    }

    var sentence: String {
        guard let parting = mismatch.parting else { return "the events are not as expected" }
        if let sentence = wrongEnd(from: parting) { return sentence }
        switch moves[parting] {
        case .unexpected(let index): return unexpected(index)
        case .differs(let part, let index): return differs(part.atom, index)
        case .notSilent(let part, let index): return notSilent(part.atom, index)
        case .missing(let part): return missing(part.atom, parting)
        case .same, .silent: return "the events are not as expected"
        }
    }

    // MARK: the end

    /// Ended, but not as it should have: when nothing right lies between the parting and the end.
    private func wrongEnd(from parting: Int) -> String? {
        let bad = moves[parting...].prefix { !$0.isSame }
        var ending: Int?
        var wanted: [String] = []
        for move in bad {
            switch move {
            case .unexpected(let index) where events[index].kind.isTerminal:
                ending = ending ?? index
            case .missing(let part) where part.atom.isTerminal: wanted.append("\(part.atom)")
            case .same, .differs, .missing, .unexpected, .silent, .notSilent: break
            }
        }
        guard let ending, !wanted.isEmpty, !events[..<ending].contains(where: \.kind.isTerminal)
        else { return nil }
        let pause = isPaused(before: ending) ? " while paused" : ""
        return "ended with \(EventText.named(events[ending]))\(pause)\(at(ending)) "
            + "instead of \(ReportText.list(wanted, joiner: "or"))"
    }

    // MARK: too much

    private func unexpected(_ index: Int) -> String {
        let event = events[index]
        if let end = events[..<index].firstIndex(where: \.kind.isTerminal) {
            return afterTheEnd(index, end)
        }
        let turn = events[..<index].last { $0.kind == .pause || $0.kind == .resume }
        if turn?.kind == .pause, let sentence = whilePaused(index) { return sentence }
        if turn?.kind == .resume, event.kind == .resume, !expectsSame(event) {
            return "resume came\(at(index)) without a pause before it"
        }
        return "\(EventText.named(event)) came\(at(index))\(bytes(index)) where "
            + "\(expected) was expected\(twin(before: index))"
    }

    /// One event too many may be any of its kind: two that say the same are the likely ones.
    private func twin(before index: Int) -> String {
        let twin = (1..<max(1, index + 1)).last { other in
            events[other - 1].kind == .progress && events[other].kind == .progress
                && events[other - 1].completed == events[other].completed
        }
        guard let other = twin else { return "" }
        return "; progress \(ReportText.size(events[other].completed)) came twice,\(at(other - 1)) "
            + "and\(at(other))"
    }

    private func afterTheEnd(_ index: Int, _ end: Int) -> String {
        let (event, first) = (events[index], events[end])
        let (seen, before) = (EventText.named(event), EventText.named(first))
        guard event.kind.isTerminal else {
            return "\(seen) came\(at(index))\(bytes(index)) after the end: "
                + "\(before) had come\(at(end))"
        }
        if event.kind == first.kind {
            return "the terminal event came twice: \(before)\(at(end)) and \(seen)\(at(index))"
        }
        return "two terminal events came: \(before)\(at(end)) and \(seen)\(at(index))"
    }

    private func whilePaused(_ index: Int) -> String? {
        let pause = events[..<index].lastIndex { $0.kind == .pause } ?? index
        switch events[index].kind {
        case .progress:
            return "progress went on to \(ReportText.size(events[index].completed)) after pause"
                + "\(at(pause)), without a resume between them"
        case .pause:
            return "pause came twice,\(at(pause)) and\(at(index)), without a resume between them"
        case .success: return "success came\(at(index)) while paused, without a resume before it"
        case .resume, .failure: return nil
        }
    }

    // MARK: wrong values

    private func differs(_ atom: EventAtom, _ index: Int) -> String {
        let event = events[index]
        guard case .event(let condition) = atom else { return "the events are not as expected" }
        if event.kind == .failure, !condition.codes.isEmpty {
            let codes = condition.codes.map(\.rawValue)
            return "failed with \(Self.code(event))\(at(index)) instead of "
                + ReportText.list(codes, joiner: "or")
        }
        return "\(event.kind.rawValue) came\(at(index)) with \(ReportText.size(event.completed)), "
            + "\(atom) was expected"
    }

    private static func code(_ event: TransferEvent) -> String {
        guard let error = event.error else { return "no error at all" }
        return error.code == .other
            ? "other ('\(Shortened.text(error.name))')" : error.code.rawValue
    }

    private func notSilent(_ atom: EventAtom, _ index: Int) -> String {
        let wanted = atom.silence.map(ReportText.time) ?? "some"
        let lasted = ReportText.time(input.silence(at: index))
        let before = index > 0 ? "after \(EventText.named(events[index - 1]))" : "after the start"
        guard index < events.count else {
            return "only \(lasted) of silence were seen \(before), \(wanted) were expected"
        }
        return "\(EventText.named(events[index])) came \(lasted) \(before): "
            + "\(wanted) of silence were expected"
    }

    // MARK: too little

    private func missing(_ atom: EventAtom, _ parting: Int) -> String {
        let next = moves[parting...].first { $0.takes }.flatMap(Self.index)
        guard let next else { return cameNoMore(parting) }
        let event = events[next]
        if event.kind == .resume, atom.kind == .pause {
            return "resume came\(at(next)) without a pause before it"
        }
        if atom.kind == .resume, isPaused(before: next), let sentence = whilePaused(next) {
            return sentence
        }
        return "\(atom) never came: \(EventText.named(event)) came\(at(next)) where "
            + "\(expected) was expected"
    }

    private func cameNoMore(_ parting: Int) -> String {
        let ends = events.contains(where: \.kind.isTerminal)
        let asksForEnd = moves[parting...].contains {
            if case .missing(let part) = $0 { part.atom.isTerminal } else { false }
        }
        guard let last = events.indices.last else {
            return "no event came at all: \(expected) was expected"
        }
        let after = "after \(EventText.named(events[last]))\(at(last))\(bytes(last))"
        if asksForEnd, !ends {
            return "it never ended: \(expected) was expected \(after), and nothing more came"
        }
        return "\(expected) was expected \(after), and nothing more came"
    }

    // MARK: words

    private var expected: String { ReportText.list(mismatch.expected, joiner: "or") }

    private func expectsSame(_ event: TransferEvent) -> Bool {
        mismatch.expected.contains { $0.hasPrefix(event.kind.rawValue) }
    }

    private func isPaused(before index: Int) -> Bool {
        events[..<index].last { $0.kind == .pause || $0.kind == .resume }?.kind == .pause
    }

    private func at(_ index: Int) -> String { " at \(ReportText.time(events[index].time))" }

    private func bytes(_ index: Int) -> String {
        events[index].kind == .progress ? " (\(ReportText.size(events[index].completed)))" : ""
    }

    private static func index(_ move: Move) -> Int? {
        switch move {
        case .same(_, let index), .differs(_, let index), .unexpected(let index): index
        case .missing, .silent, .notSilent: nil
        }
    }
}

extension EventAtom {
    fileprivate var kind: TransferEvent.Kind? {
        switch self {
        case .event(let condition): condition.kind
        case .quiet: nil
        }
    }

    fileprivate var isTerminal: Bool { kind?.isTerminal ?? false }
}
