import FaultEngine
import StorageModel

extension ScenarioDecoder {
    func verb(
        _ verb: StepVerb.Kind, _ value: YAMLNode, _ reader: MappingReader
    ) -> StepVerb? {
        switch verb {
        case .upload: upload(value, reader).map { .upload($0) }
        case .download: download(value, reader).map { .download($0) }
        case .pause: taskUse(value, reader).map { .pause($0) }
        case .resume: taskUse(value, reader).map { .resume($0) }
        case .cancel: taskUse(value, reader).map { .cancel($0) }
        case .snapshot: taskName(value).map { .snapshot(task: $0) }
        case .observe: observe(value, reader).map { .observe($0) }
        case .unobserve: unobserve(value).map { .unobserve($0) }
        case .getMetadata: objectAddress(value).map { .getMetadata($0) }
        case .updateMetadata: updateMetadata(value, reader)
        case .delete: objectAddress(value).map { .delete($0) }
        case .url: objectAddress(value).map { .url($0) }
        case .list: listing(value, reader).map { .list($0) }
        case .listAll: objectAddress(value).map { .listAll(prefix: $0) }
        case .fetch: resultName(value, of: ["url"]).map { .fetch(result: $0) }
        case .image: objectAddress(value).map { .image($0) }
        case .reference: reference(value).map { .reference($0) }
        case .local: localAction(value).map { .local($0) }
        case .token: tokenUse(value).map { .token($0) }
        case .backend: backendStep(value).map { .backend($0) }
        case .release: taskName(value).map { .release(task: $0) }
        case .restartClient: restartClient(value, reader)
        case .wait: wait(value).map { .wait($0) }
        case .burst: nonEmpty(value).map { .burst($0) }
        case .parallel: nonEmpty(value).map { .parallel($0) }
        case .repeat: repetition(value, reader).map { .repeat($0) }
        }
    }

    private func taskUse(_ node: YAMLNode, _ reader: MappingReader) -> TaskUse? {
        let through = reader.read("through", text)
        if let through, through != "snapshot" {
            unknown(
                "way", through, known: ["snapshot"], at: reader["through"]?.place ?? node.place)
        }
        return taskName(node).map { TaskUse(task: $0, throughSnapshot: through != nil) }
    }

    func eventKinds(_ node: YAMLNode) -> [TransferEvent.Kind] {
        if node.sequence?.isEmpty == true {
            error("a list of events must not be empty", at: node.place)
        }
        return list(node).compactMap { choice($0, "event") }
    }

    private func observe(_ node: YAMLNode, _ reader: MappingReader) -> ObserveStep? {
        guard let task = taskName(node) else { return nil }
        return ObserveStep(
            task: task, events: reader.read("events", eventKinds) ?? TransferEvent.Kind.allCases,
            renews: reader.read("renew", boolean) ?? false)
    }

    private func unobserve(_ node: YAMLNode) -> UnobserveStep? {
        guard node.mapping != nil else {
            guard let text = text(node) else { return nil }
            if names.entry(text)?.kind != .observer {
                unknown("observer", text, known: names.names(of: [.observer]), at: node.place)
            }
            return .handle(text)
        }
        guard let reader = MappingReader(node, "'unobserve'", keys: Shape.observersOff.keys, self),
            let task = reader.require("task", taskName)
        else { return nil }
        return reader.read("events", eventKinds).map { .events(task: task, $0) }
            ?? .all(task: task)
    }

    private func updateMetadata(_ node: YAMLNode, _ reader: MappingReader) -> StepVerb? {
        guard let address = objectAddress(node), let set = reader.require("set", { $0 }) else {
            return nil
        }
        guard let fields = MappingReader(set, "'set'", keys: Shape.metadataChange.keys, self) else {
            return nil
        }
        var change = MetadataChange()
        for key in MetadataFields.settable {
            guard let value = fields[key] else { continue }
            change.fields[key] = .some(value.isNull ? nil : text(value))
        }
        if let custom = fields["custom"] {
            change.removesAllCustom = custom.isNull
            let pairs = custom.isNull ? [] : pairs(custom, "'custom'")
            for (key, pair) in pairs {
                change.custom[key] = .some(pair.value.isNull ? nil : text(pair.value))
            }
        }
        return .updateMetadata(address, change)
    }

    private func listing(_ node: YAMLNode, _ reader: MappingReader) -> ListStep? {
        guard let prefix = objectAddress(node) else { return nil }
        var step = ListStep(prefix: prefix)
        step.maxResults = reader.read("maxResults") { integer($0) }
        step.pageAfter = reader.read("page") { resultName($0, of: ["list"]) }
        return step
    }

    private func reference(_ node: YAMLNode) -> ReferenceSource? {
        let keys = Shape.referenceSource.keys
        guard let reader = MappingReader(node, "'reference'", keys: keys, self),
            let key = reader.one(of: keys), let value = reader.read(key, text)
        else { return nil }
        return key == "path" ? .path(value) : .url(value)
    }

    private func tokenUse(_ node: YAMLNode) -> TokenUse? {
        let keys = Shape.tokenUse.keys
        guard let reader = MappingReader(node, "'token'", keys: keys, self),
            let key = reader.one(of: keys)
        else { return nil }
        switch key {
        case "use": return reader.read(key, tokenName).map { .use($0) }
        case "expire": return reader.read(key, tokenName).map { .expire($0) }
        default: return reader.read(key, isTrue).map { .signOut }
        }
    }

    /// `true`, the only value of a flag that stands for a deed.
    private func isTrue(_ node: YAMLNode) -> Void? {
        guard let value = boolean(node) else { return nil }
        guard value else {
            error("only 'true' belongs here", at: node.place)
            return nil
        }
        return ()
    }

    private func backendStep(_ node: YAMLNode) -> BackendAction? {
        let keys = Shape.backendAction.keys
        guard let reader = MappingReader(node, "'backend'", keys: keys, self),
            let key = reader.one(of: keys), let value = reader[key]
        else { return nil }
        return backendAction(key, value)
    }

    private func restartClient(_ node: YAMLNode, _ reader: MappingReader) -> StepVerb? {
        require(.restartClient, at: reader.keyPlace("restart-client"))
        return isTrue(node).map { .restartClient }
    }

    private func wait(_ node: YAMLNode) -> WaitStep? {
        if let text = node.scalar, let duration = ScalarText.duration(text) {
            return .duration(duration)
        }
        if let text = node.scalar, let first = text.utf8.first, (0x30...0x39).contains(first) {
            return duration(node).map { .duration($0) }
        }
        return trigger(node).map { .trigger($0) }
    }

    private func nonEmpty(_ node: YAMLNode) -> [Step]? {
        if node.sequence?.isEmpty == true {
            error("a list of steps must not be empty", at: node.place)
        }
        let decoded = steps(node)
        return decoded.isEmpty ? nil : decoded
    }

    private func repetition(_ node: YAMLNode, _ reader: MappingReader) -> RepeatStep? {
        let gaps = reader.read("gaps") { list($0).compactMap(duration) } ?? []
        guard let count = integer(node, in: 1...RepeatLimits.rounds),
            let body = reader.require("do", { $0 })
        else { return nil }
        guard Substitution.counts(body) else {
            return nonEmpty(body).map { RepeatStep(count: count, gaps: gaps, rounds: [$0]) }
        }
        var rounds: [[Step]] = []
        for round in 1...count {
            guard let steps = nonEmpty(Substitution.counted(body, round)) else { return nil }
            rounds.append(steps)
        }
        var loop = RepeatStep(count: count, gaps: gaps, rounds: rounds)
        loop.bodyText = YAMLWriter.flow(body)
        return loop
    }
}
