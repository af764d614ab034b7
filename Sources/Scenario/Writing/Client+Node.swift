import StorageModel

extension ClientSettings {
    /// As the language writes it; what is usual is left out.
    var node: YAMLNode {
        let usual = ClientSettings()
        func time(_ key: KeyPath<ClientSettings, Duration>) -> YAMLNode? {
            self[keyPath: key] == usual[keyPath: key] ? nil : .duration(self[keyPath: key])
        }
        let buckets = instances.sorted { $0.key < $1.key }
        return .map([
            ("chunkSize", chunkSize.map(YAMLNode.size)),
            ("maxUploadRetryTime", time(\.maxUploadRetryTime)),
            ("maxDownloadRetryTime", time(\.maxDownloadRetryTime)),
            ("maxOperationRetryTime", time(\.maxOperationRetryTime)),
            ("idleTimeout", time(\.idleTimeout)),
            ("connections", connections.map(YAMLNode.number)), ("token", tokenNode),
            (
                "instances",
                buckets.isEmpty
                    ? nil : .map(buckets.map { ($0.key, .map([("bucket", .text($0.value))])) })
            ),
            ("processes", processes.isEmpty ? nil : .texts(processes)),
        ])
    }

    private var tokenNode: YAMLNode? {
        guard let first = tokens.first else { return nil }
        if tokens.count == 1, first.after == .zero, case .give(let name) = first.answer {
            return .text(name)
        }
        return .map([("script", .list(tokens.map(\.node)))])
    }
}

extension ClientSettings.TokenStep {
    fileprivate var node: YAMLNode {
        let wait: YAMLNode? = after == .zero ? nil : .duration(after)
        switch answer {
        case .give(let name): return .map([("after", wait), ("give", .text(name))])
        case .fail(let why): return .map([("after", wait), ("fail", .text(why))])
        }
    }
}
