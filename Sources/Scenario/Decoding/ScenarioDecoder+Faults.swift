import FaultEngine
import StorageModel

extension ScenarioDecoder {
    func faults(_ node: YAMLNode) -> [FaultRule] {
        list(node).enumerated().compactMap { index, node in fault(node, position: index + 1) }
    }

    /// A fault in either form.
    func fault(_ node: YAMLNode, position: Int) -> FaultRule? {
        guard node.mapping == nil, node.scalar != nil else {
            return MappingReader(node, "a fault", keys: Shape.fault.keys, self)
                .flatMap { fault($0, position: position) }
        }
        return text(node).flatMap { FaultShortForm($0, in: node, self).node }
            .flatMap { fault($0, position: position) }
    }

    private func fault(_ reader: MappingReader, position: Int) -> FaultRule? {
        let selector = faultSelector(reader)
        let phase = reader.read("at") { self.phase($0) }
        let commit = reader.read("commit") { self.commit($0) }
        let actions = reader.read("do", actions)
        let ordinal = selector?.ordinal ?? .all
        let times = times(reader, ordinal)
        let chance = reader.read("chance", percent).map { $0 / 100 }
        let mayMiss = reader.read("may-miss", boolean) ?? false
        if !reader.has("do"), !reader.has("commit") {
            error("a fault needs 'do' or 'commit'", at: reader.place)
            return nil
        }
        guard let selector, actions != nil || !reader.has("do"),
            phase != nil || !reader.has("at"), commit != nil || !reader.has("commit")
        else { return nil }
        guard let phase = phase ?? defaultPhase(reader, actions ?? [], selector.operation) else {
            return nil
        }
        let rule = FaultRule(
            position: position, name: reader["name"]?.scalar, text: Self.text(of: reader),
            place: reader.place, selector: selector, phase: phase, commit: commit,
            actions: actions ?? [], times: times, chance: chance, mayMiss: mayMiss)
        check(rule, reader)
        return rule
    }

    private func faultSelector(_ reader: MappingReader) -> ExchangeSelector? {
        guard var selector = reader.require("match", { match($0) }) else { return nil }
        selector.per = reader.read("per") { choice($0, "scope") } ?? .transfer
        if let node = reader["where"],
            let conditions = MappingReader(node, "'where'", keys: Shape.filters.keys, self)
        {
            selector.filters = filters(conditions, isOfServer: true)
        }
        return selector
    }

    /// Nil: always.
    private func times(_ reader: MappingReader, _ ordinal: OrdinalPattern) -> Int? {
        guard let node = reader["times"] else { return FaultRule.defaultTimes(for: ordinal) }
        if node.scalar == "always" { return nil }
        return integer(node, in: 1...Int.max)
    }

    private func defaultPhase(
        _ reader: MappingReader, _ actions: [FaultAction], _ operation: OperationPattern
    ) -> FaultPhase? {
        guard let first = actions.first else {
            return operation == .one(.connect) ? .connect : .beforeCommit
        }
        if let phase = first.defaultPhase(for: operation) { return phase }
        error(
            "the action '\(first.name)' needs 'at': request-body 100KiB, response-head and the like",
            at: reader["do"]?.place ?? reader.place)
        return nil
    }

    /// How the language writes it in one line.
    private static func text(of reader: MappingReader) -> String {
        var text = reader["match"].map(FlowText.text) ?? ""
        if let path = reader["where"]?["path"] { text += " path=\(FlowText.text(path))" }
        if let at = reader["at"] { text += " @ \(FlowText.text(at))" }
        let actions = reader["do"].map { $0.sequence ?? [$0] } ?? []
        var parts = actions.map { action in
            (action.mapping ?? []).first.map {
                "\(FlowText.text($0.key)) \(FlowText.text($0.value))"
            }
                ?? FlowText.text(action)
        }
        if let commit = reader["commit"] { parts.append("commit \(FlowText.text(commit))") }
        return text + ": " + parts.joined(separator: ", ")
    }
}
