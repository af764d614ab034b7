import FaultEngine
import StorageModel

extension ScenarioDecoder {
    func backend(_ node: YAMLNode) -> ScenarioBackend {
        var backend = ScenarioBackend()
        guard let reader = MappingReader(node, "'backend'", keys: Shape.backend.keys, self) else {
            return backend
        }
        if let bucket = reader.read("bucket", bucketName) {
            backend.settings.bucket = bucket
            backend.givesBucket = true
        }
        backend.givesTokens = reader.has("tokens")
        fill(&backend.settings, reader)
        backend.settings.connectionLimit = reader.read("connections", connectionLimit)
        backend.link = reader.read("link", linkChanges) ?? []
        if let settings = reader["settings"] { self.settings(settings, &backend) }
        return backend
    }

    private func fill(_ settings: inout BackendSettings, _ reader: MappingReader) {
        if let granularity = reader.read("granularity", { size($0, atLeast: 1) }) {
            settings.granularity = granularity
        }
        if let access = reader.read("access", accessSetting) { settings.access = access }
        if let plan = reader.read("plan", plan) { settings.plan = plan }
        if let tokens = reader.read("tokens", tokens) { settings.tokens = tokens }
        settings.objects = reader.read("objects", objects) ?? []
        settings.latency = reader.read("latency", duration) ?? .zero
        if let node = reader["bandwidth"],
            let bandwidth = MappingReader(node, "'bandwidth'", keys: Shape.bandwidth.keys, self)
        {
            settings.bandwidthUp = bandwidth.read("up", rate)
            settings.bandwidthDown = bandwidth.read("down", rate)
        }
        if let node = reader["resumable"],
            let resumable = MappingReader(node, "'resumable'", keys: Shape.resumable.keys, self),
            let lifetime = resumable.require("lifetime", positiveDuration)
        {
            settings.sessionLifetime = lifetime
        }
        if let keep = reader["keep"], let word = text(keep) {
            settings.verifiesInsteadOfKeeping = word == "verify"
            if !["bytes", "verify"].contains(word) {
                unknown("way to keep", word, known: ["bytes", "verify"], at: keep.place)
            }
        }
    }

    func bucketName(_ node: YAMLNode) -> String? {
        guard let text = text(node) else { return nil }
        guard !text.isEmpty, !text.contains("/"), !text.contains(" ") else {
            error("'\(text)' is no name of a bucket", at: node.place)
            return nil
        }
        return text
    }

    private func plan(_ node: YAMLNode) -> BackendSettings.Plan? {
        switch text(node) {
        case nil: return nil
        case "blaze": return .blaze
        case "spark": return .spark
        case let word?:
            unknown("plan", word, known: ["blaze", "spark"], at: node.place)
            return nil
        }
    }

    private func tokens(_ node: YAMLNode) -> [String: BackendSettings.Token] {
        var tokens: [String: BackendSettings.Token] = [:]
        for (name, pair) in pairs(node, "'tokens'") {
            guard let reader = MappingReader(pair.value, "a token", keys: Shape.token.keys, self)
            else {
                continue
            }
            tokens[name] = BackendSettings.Token(valid: reader.read("valid", duration))
        }
        return tokens
    }

    private func connectionLimit(_ node: YAMLNode) -> BackendSettings.ConnectionLimit? {
        guard
            let reader = MappingReader(
                node, "'connections'", keys: Shape.connectionLimit.keys, self),
            let count = reader.require("max", { integer($0, in: 1...4000) })
        else { return nil }
        let beyond = reader.read("then") {
            choice($0, "limit", of: BackendSettings.ConnectionLimit.Beyond.self)
        }
        return .init(count: count, beyond: beyond ?? .refuse)
    }

    private func linkChanges(_ node: YAMLNode) -> [ScenarioBackend.LinkChange] {
        let changes = list(node).compactMap { node -> ScenarioBackend.LinkChange? in
            guard
                let reader = MappingReader(
                    node, "a change of the link", keys: Shape.linkChange.keys, self),
                let at = reader.require("at", duration), let state = linkState(reader)
            else { return nil }
            return ScenarioBackend.LinkChange(at: at, state: state)
        }
        if let late = zip(changes, changes.dropFirst()).first(where: { $0.at > $1.at }) {
            error(
                "the changes of the link stand in the order of their times: "
                    + "\(late.1.at.scenarioText) comes after \(late.0.at.scenarioText)",
                at: node.place)
        }
        return changes
    }

    private func settings(_ node: YAMLNode, _ backend: inout ScenarioBackend) {
        guard let reader = MappingReader(node, "'settings'", keys: Shape.settings.keys, self) else {
            return
        }
        if let node = reader["offset-mismatch"] {
            switch node.scalar {
            case "append": backend.settings.offsetMismatch = .append
            case "overlap": backend.settings.offsetMismatch = .overlap
            default:
                if let status = refusal(node, else: "append or overlap") {
                    backend.settings.offsetMismatch = .refuse(status: status)
                }
            }
        }
        if let node = reader["checksum-mismatch"] {
            backend.settings.checksumMismatchStatus =
                node.scalar == "ignore" ? nil : refusal(node, else: "ignore")
        }
        if let status = reader.read("session-in-use", { refusal($0, else: nil) }) {
            backend.settings.sessionInUseStatus = status
        }
        backend.settings.freshConnections = reader.read("fresh-connections", boolean) ?? false
        if let node = reader["resends"] {
            backend.resends = choice(node, "value of 'resends'")
            require(.resends, at: node.place)
        }
        backend.settings.overlappingQuery =
            reader.read("overlapping-query") { choice($0, "value of 'overlapping-query'") }
            ?? .answer
    }

    /// A status from 400 to 599.
    private func refusal(_ node: YAMLNode, else words: String?) -> Int? {
        guard let text = text(node) else { return nil }
        guard let status = Int(text), (400...599).contains(status) else {
            let words = words.map { ", or \($0)" } ?? ""
            error("'\(text)' is no status from 400 to 599\(words)", at: node.place)
            return nil
        }
        return status
    }
}
