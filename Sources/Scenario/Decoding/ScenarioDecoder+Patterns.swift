import EventMatching
import StorageModel

extension ScenarioDecoder {
    func eventPatterns(_ node: YAMLNode) -> [EventPattern]? {
        patterns(node, keys: Shape.eventSequence.keys) {
            text throws(PatternError) in
            try EventPattern(parsing: text)
        }
    }

    func requestPatterns(_ node: YAMLNode) -> [RequestPattern]? {
        patterns(node, keys: Shape.requestSequence.keys) { text throws(PatternError) in
            try RequestPattern(parsing: text)
        }
    }

    /// A list of patterns; nil when any is wrong.
    private func patterns<Atom>(
        _ node: YAMLNode, keys: [String],
        parse: (String) throws(PatternError) -> SequencePattern<Atom>
    ) -> [SequencePattern<Atom>]? {
        guard node.sequence != nil else {
            error("a list of patterns belongs here, not \(node.kindName)", at: node.place)
            return nil
        }
        let nodes = list(node)
        let patterns = nodes.compactMap { pattern($0, keys: keys, parse: parse) }
        guard patterns.count == nodes.count else { return nil }
        guard SequencePattern.size(of: patterns) <= SequencePattern<Atom>.limit else {
            error("the pattern has more than 10,000 elements", at: node.place)
            return nil
        }
        return patterns
    }

    private func pattern<Atom>(
        _ node: YAMLNode, keys: [String],
        parse: (String) throws(PatternError) -> SequencePattern<Atom>
    ) -> SequencePattern<Atom>? {
        guard node.mapping != nil else {
            guard let text = text(node) else { return nil }
            do throws(PatternError) { return try parse(text) } catch {
                self.error(
                    error.sentence, at: node.place(atOffset: error.offset),
                    suggestion: error.suggestion)
                return nil
            }
        }
        guard let reader = MappingReader(node, "a pattern", keys: keys, self),
            let key = reader.one(of: keys.filter { $0 != "times" }), let value = reader[key]
        else { return nil }
        if key != "sequence", reader.has("times") {
            error("'times' goes with 'sequence' alone", at: reader.keyPlace("times"))
        }
        switch key {
        case "any":
            let alternatives = list(value).compactMap { patterns($0, keys: keys, parse: parse) }
            if alternatives.isEmpty { error("'any' needs alternatives", at: value.place) }
            return alternatives.count == value.sequence?.count && !alternatives.isEmpty
                ? .any(alternatives) : nil
        case "sequence":
            let times = reader["times"].map(repetition) ?? Repetition.once
            guard let parts = patterns(value, keys: keys, parse: parse), let times else {
                return nil
            }
            return .sequence(parts, times)
        default:
            return duration(value).flatMap {
                (EventAtom.quiet($0) as? Atom).map { .atom($0, .once) }
            }
        }
    }

    private func repetition(_ node: YAMLNode) -> Repetition? {
        guard let text = text(node) else { return nil }
        guard let repetition = Repetition(times: text) else {
            error("'\(text)' is no number of times: 12, 2..5, 2.. or \">= 2\"", at: node.place)
            return nil
        }
        return repetition
    }
}
