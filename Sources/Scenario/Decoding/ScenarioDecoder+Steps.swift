import FaultEngine
import StorageModel

extension ScenarioDecoder {
    func steps(_ node: YAMLNode) -> [Step] { list(node).compactMap(step) }

    private func step(_ node: YAMLNode) -> Step? {
        stepCount += 1
        guard stepCount <= RepeatLimits.steps else {
            error("all rounds together are more than \(RepeatLimits.steps) steps", at: node.place)
            return nil
        }
        guard let pairs = node.mapping else {
            error("a step is a mapping with a verb, not \(node.kindName)", at: node.place)
            return nil
        }
        guard let verb = verb(of: pairs, node) else { return nil }
        let word = verb.rawValue
        guard let reader = MappingReader(node, "'\(word)'", keys: Shape(verb).keys, self),
            let value = reader[word], let decoded = self.verb(verb, value, reader)
        else { return nil }
        var step = Step(place: node.place, verb: decoded)
        step.name = reader["as"]?.scalar
        step.when = reader.read("when") { trigger($0) }
        step.after = reader.read("after", duration)
        step.isInside = reader.read("inside", boolean) ?? false
        step.instance = reader.read("in", instance)
        step.process = reader.read("process", process)
        if step.process != nil { require(.processes, at: reader.keyPlace("process")) }
        check(step, reader)
        return step
    }

    /// The one verb of a step.
    private func verb(of pairs: [YAMLNode.Pair], _ node: YAMLNode) -> StepVerb.Kind? {
        let verbs = pairs.filter { StepKeys.verbs.contains($0.key.scalar ?? "") }
        if verbs.count > 1 {
            error("a step has one verb, this one has two", at: verbs[1].key.place)
            return nil
        }
        if let verb = verbs.first?.key.scalar { return StepVerb.Kind(rawValue: verb) }
        let known = StepKeys.verbs + StepKeys.common
        let strange = pairs.first { !known.contains($0.key.scalar ?? "") }
        guard let strange else {
            error("a step needs a verb: upload, download, pause and the like", at: node.place)
            return nil
        }
        unknown("verb", strange.key.scalar ?? "", known: StepKeys.verbs, at: strange.key.place)
        return nil
    }

    private func check(_ step: Step, _ reader: MappingReader) {
        if step.isInside {
            switch step.when {
            case .task(let trigger) where trigger.moment != .end: break
            case nil, .task, .result, .wire, .fault, .step, .time, .gate, .all:
                error(
                    "'inside' needs a 'when' that names one event of a task",
                    at: reader.keyPlace("inside"))
            }
            if case .wait = step.verb {
                error("'wait' is not carried out inside a callback", at: reader.keyPlace("inside"))
            }
        }
        if case .resume(let use) = step.verb, use.throughSnapshot { checkSnapshot(step, reader) }
        if case .pause(let use) = step.verb, use.throughSnapshot { checkSnapshot(step, reader) }
        if case .cancel(let use) = step.verb, use.throughSnapshot { checkSnapshot(step, reader) }
        if case .observe = step.verb, step.name == nil {
            error("'observe' needs a name: as: late", at: reader.place)
        }
    }

    private func checkSnapshot(_ step: Step, _ reader: MappingReader) {
        guard !step.isInside else { return }
        error(
            "'through: snapshot' needs 'inside: true', where there is a snapshot",
            at: reader.keyPlace("through"))
    }

    private func instance(_ node: YAMLNode) -> String? {
        guard let name = name(node) else { return nil }
        if !names.instances.contains(name) {
            unknown("instance", name, known: names.instances.sorted(), at: node.place)
        }
        return name
    }

    private func process(_ node: YAMLNode) -> String? {
        guard let name = name(node) else { return nil }
        if !names.processes.contains(name) {
            unknown("process", name, known: names.processes.sorted(), at: node.place)
        }
        return name
    }

    /// The name of a task that steps start, perhaps with a round: `up#3`.
    func taskName(_ node: YAMLNode) -> String? {
        guard let text = text(node) else { return nil }
        if names.task(text) == nil, !tellsRounds(of: text, at: node.place) {
            unknown("task", text, known: names.taskNames, at: node.place)
        }
        return text
    }

    /// Reports a name that is known, with a round that it has not.
    func tellsRounds(of text: String, at place: SourcePlace) -> Bool {
        let (name, _) = Self.numbered(text)
        guard name != text, let entry = names.entries[name] else { return false }
        error(
            entry.rounds > 1
                ? "'\(name)' has the rounds 1 to \(entry.rounds)"
                : "'\(name)' stands in no 'repeat', so it has no rounds", at: place)
        return true
    }

    /// The name of the result of a step with one of these verbs.
    func resultName(_ node: YAMLNode, of verbs: [String]) -> String? {
        guard let text = text(node) else { return nil }
        let kinds = verbs.map { NameTable.Kind.result(verb: $0) }
        if let entry = names.entry(text), kinds.contains(entry.kind) { return text }
        unknown(
            "'\(text)' is no result of '\(verbs.joined(separator: "' or '"))'", instead: text,
            of: names.names(of: kinds), at: node.place)
        return nil
    }
}
