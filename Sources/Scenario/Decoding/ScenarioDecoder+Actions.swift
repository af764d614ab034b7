import FaultEngine
import StorageModel

extension ScenarioDecoder {
    static let actionNames = [
        "respond", "delay", "drop", "hold", "stall", "disconnect", "silence", "throttle", "slice",
        "corrupt", "headers", "json", "length", "framing", "raw", "interim", "continue", "refuse",
        "session", "object", "range", "hash", "token", "server", "redirect", "tls", "keep-alive",
    ]

    /// One action, or a list of them; nil when any is wrong.
    func actions(_ node: YAMLNode) -> [FaultAction]? {
        let nodes = node.sequence ?? [node]
        if nodes.isEmpty { error("a list of actions must not be empty", at: node.place) }
        let actions = nodes.compactMap(action)
        return actions.count == nodes.count && !actions.isEmpty ? actions : nil
    }

    private func action(_ node: YAMLNode) -> FaultAction? {
        if let word = node.scalar {
            if word == "silence" { return .silence }
            if Self.actionNames.contains(word) {
                error("the action '\(word)' needs a value: {\(word): ...}", at: node.place)
            } else {
                unknown("action", word, known: Self.actionNames, at: node.place)
            }
            return nil
        }
        guard let pairs = node.mapping, let pair = pairs.first else {
            error("an action is a mapping with one key, as {disconnect: reset}", at: node.place)
            return nil
        }
        guard pairs.count == 1 else {
            error(
                "one action a mapping: several stand in a list, as [{delay: 1s}, {respond: 503}]",
                at: pairs[1].key.place)
            return nil
        }
        return action(pair.key.scalar ?? "", pair.value, at: pair.key.place)
    }

    private func action(
        _ name: String, _ value: YAMLNode, at place: SourcePlace
    ) -> FaultAction? {
        switch name {
        case "respond": forcedResponse(value).map { .respond($0) }
        case "delay": delayTime(value).map { .delay($0) }
        case "drop": choice(value, "way to drop").map { .drop($0) }
        case "hold": hold(value)
        case "stall": stall(value)
        case "disconnect": choice(value, "way to disconnect").map { .disconnect($0) }
        case "silence": silence(value)
        case "throttle": rate(value).map { .throttle(rate: $0) }
        case "slice": slice(value)
        case "corrupt": corruption(value).map { .corrupt($0) }
        case "headers": headerEdit(value).map { .headers($0) }
        case "json": jsonEdit(value).map { .json($0) }
        case "length": declaredLength(value).map { .length($0) }
        case "framing": choice(value, "framing fault").map { .framing($0) }
        case "raw": raw(value)
        case "interim": interim(value)
        case "continue": continueFault(value).map { .expectContinue($0) }
        case "refuse": refuse(value)
        case "range": rangeFault(value).map { .range($0) }
        case "hash": choice(value, "hash fault").map { .hash($0) }
        case "redirect": redirection(value).map { .redirect($0) }
        case "tls": tlsFault(value).map { .tls($0) }
        case "keep-alive": keepAlive(value).map { .keepAlive($0) }
        default: otherAction(name, value, at: place)
        }
    }

    private func otherAction(
        _ name: String, _ value: YAMLNode, at place: SourcePlace
    ) -> FaultAction? {
        guard Self.actionNames.contains(name) || name == "link" else {
            unknown("action", name, known: Self.actionNames, at: place)
            return nil
        }
        return backendAction(name, value).map { .backend($0) }
    }

    private func silence(_ node: YAMLNode) -> FaultAction? {
        guard node.isNull || node.scalar == "true" else {
            error("'silence' takes no value", at: node.place)
            return nil
        }
        return .silence
    }

    private func hold(_ node: YAMLNode) -> FaultAction? {
        guard node.mapping != nil else {
            return trigger(node, isOfServer: true).map { .hold(until: $0, atMost: nil) }
        }
        guard let reader = MappingReader(node, "'hold'", keys: Shape.hold.keys, self),
            let until = reader.require("until", { trigger($0, isOfServer: true) })
        else { return nil }
        return .hold(until: until, atMost: reader.read("at-most", positiveDuration))
    }

    private func stall(_ node: YAMLNode) -> FaultAction? {
        node.scalar == "forever" ? .stall(nil) : duration(node).map { .stall($0) }
    }

    private func slice(_ node: YAMLNode) -> FaultAction? {
        guard let reader = MappingReader(node, "'slice'", keys: Shape.slice.keys, self),
            let size = reader.require("size", { size($0, atLeast: 1) })
        else { return nil }
        return .slice(size: size, gap: reader.read("gap", duration) ?? .zero)
    }

    private func raw(_ node: YAMLNode) -> FaultAction? {
        let keys = Shape.raw.keys
        guard let reader = MappingReader(node, "'raw'", keys: keys, self),
            let key = reader.one(of: keys)
        else { return nil }
        let bytes = key == "text" ? reader.read(key, text).map { Array($0.utf8) } : nil
        return (bytes ?? reader.read("base64", base64)).map { .raw($0) }
    }

    private func interim(_ node: YAMLNode) -> FaultAction? {
        let nodes = list(node)
        let responses = nodes.compactMap(interimResponse)
        return responses.count == nodes.count && !nodes.isEmpty ? .interim(responses) : nil
    }

    private func interimResponse(_ node: YAMLNode) -> InterimResponse? {
        guard node.mapping != nil else {
            return integer(node, in: 100...199).map { InterimResponse(status: $0) }
        }
        guard
            let reader = MappingReader(
                node, "an interim answer", keys: Shape.interim.keys, self),
            let status = reader.require("status", { integer($0, in: 100...199) })
        else { return nil }
        var headers = HTTPHeaders()
        for (name, value) in (reader.read("headers") { texts($0, "headers") } ?? [:]).sorted(
            by: { $0.key < $1.key })
        {
            headers.add(name, value)
        }
        return InterimResponse(status: status, headers: headers)
    }

    private func refuse(_ node: YAMLNode) -> FaultAction? {
        guard node.mapping != nil else {
            return positiveDuration(node).map { .refuse(for: $0, .refuse) }
        }
        guard let reader = MappingReader(node, "'refuse'", keys: Shape.refuse.keys, self),
            let duration = reader.require("for", positiveDuration)
        else { return nil }
        return .refuse(for: duration, reader.read("how") { choice($0, "way to refuse") } ?? .refuse)
    }
}
