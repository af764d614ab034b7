import StorageModel

extension ScenarioDecoder {
    func client(_ node: YAMLNode) -> ClientSettings {
        var settings = ClientSettings()
        guard let reader = MappingReader(node, "'client'", keys: Shape.client.keys, self) else {
            return settings
        }
        if let chunk = reader["chunkSize"], chunk.scalar != "whole" {
            settings.chunkSize = size(chunk, atLeast: 1)
        }
        if let time = reader.read("maxUploadRetryTime", duration) {
            settings.maxUploadRetryTime = time
        }
        if let time = reader.read("maxDownloadRetryTime", duration) {
            settings.maxDownloadRetryTime = time
        }
        if let time = reader.read("maxOperationRetryTime", duration) {
            settings.maxOperationRetryTime = time
        }
        if let time = reader.read("idleTimeout", positiveDuration) { settings.idleTimeout = time }
        settings.connections = reader.read("connections") { integer($0, in: 1...Int.max) }
        settings.tokens = reader.read("token", clientTokens) ?? []
        settings.instances = reader.read("instances", instances) ?? [:]
        settings.processes = reader.read("processes", processes) ?? []
        return settings
    }

    private func clientTokens(_ node: YAMLNode) -> [ClientSettings.TokenStep] {
        guard node.mapping != nil else {
            if node.scalar == "none" { return [] }
            return tokenName(node).map { [ClientSettings.TokenStep(answer: .give($0))] } ?? []
        }
        guard let reader = MappingReader(node, "'token'", keys: Shape.tokenScript.keys, self),
            let script = reader.require("script", { $0 })
        else { return [] }
        if script.sequence?.isEmpty == true {
            error("a script of tokens must not be empty", at: script.place)
        }
        return list(script).compactMap(tokenStep)
    }

    private func tokenStep(_ node: YAMLNode) -> ClientSettings.TokenStep? {
        let keys = ["give", "fail"]
        guard let reader = MappingReader(node, "an answer", keys: Shape.tokenAnswer.keys, self),
            let key = reader.one(of: keys)
        else { return nil }
        let after = reader.read("after", duration) ?? .zero
        let answer: ClientSettings.TokenAnswer? =
            key == "give"
            ? reader.read(key, tokenName).map { .give($0) }
            : reader.read(key, text).map { .fail($0) }
        return answer.map { ClientSettings.TokenStep(after: after, answer: $0) }
    }

    private func instances(_ node: YAMLNode) -> [String: String] {
        var instances: [String: String] = [:]
        for (_, pair) in pairs(node, "'instances'") {
            guard let name = name(pair.key),
                let reader = MappingReader(
                    pair.value, "an instance", keys: Shape.instance.keys, self)
            else { continue }
            instances[name] = reader.require("bucket", bucketName)
        }
        return instances
    }

    private func processes(_ node: YAMLNode) -> [String] {
        require(.processes, at: node.place)
        var processes: [String] = []
        for entry in list(node) {
            guard let name = name(entry) else { continue }
            if processes.contains(name) {
                error("the process '\(name)' is given twice", at: entry.place)
            }
            processes.append(name)
        }
        return processes
    }
}
