import StorageModel

extension ScenarioBackend {
    /// As the language writes it; what is usual is left out.
    var node: YAMLNode {
        let usual = BackendSettings()
        let tokens = settings.tokens ?? [:]
        return .map([
            ("bucket", givesBucket ? settings.bucket.map(YAMLNode.text) : nil),
            (
                "granularity",
                settings.granularity == usual.granularity ? nil : .size(settings.granularity)
            ),
            ("access", settings.access.node),
            ("plan", settings.plan == .blaze ? nil : .word("spark")),
            (
                "tokens",
                givesTokens
                    ? .map(tokens.sorted { $0.key < $1.key }.map { ($0.key, $0.value.node) }) : nil
            ),
            (
                "objects",
                settings.objects.isEmpty ? nil : GivenCopies.node(settings.objects)
            ),
            ("latency", settings.latency == .zero ? nil : .duration(settings.latency)),
            ("bandwidth", bandwidth.unlessEmpty), ("connections", settings.connectionLimit?.node),
            ("link", link.isEmpty ? nil : .list(link.map(\.node))),
            (
                "resumable",
                settings.sessionLifetime == usual.sessionLifetime
                    ? nil : .map([("lifetime", .duration(settings.sessionLifetime))])
            ),
            ("keep", settings.verifiesInsteadOfKeeping ? .word("verify") : nil),
            ("settings", furtherSettings.unlessEmpty),
        ])
    }

    private var bandwidth: YAMLNode {
        .map([
            ("up", settings.bandwidthUp.map { .word($0.sizeText + "/s") }),
            ("down", settings.bandwidthDown.map { .word($0.sizeText + "/s") }),
        ])
    }

    private var furtherSettings: YAMLNode {
        let usual = BackendSettings()
        let checksums = settings.checksumMismatchStatus
        return .map([
            (
                "offset-mismatch",
                settings.offsetMismatch == usual.offsetMismatch
                    ? nil : settings.offsetMismatch.node
            ),
            (
                "checksum-mismatch",
                checksums == usual.checksumMismatchStatus
                    ? nil : checksums.map { .number($0) } ?? .word("ignore")
            ),
            (
                "session-in-use",
                settings.sessionInUseStatus == usual.sessionInUseStatus
                    ? nil : .number(settings.sessionInUseStatus)
            ),
            ("fresh-connections", settings.freshConnections ? .flag(true) : nil),
            ("resends", resends.map { .word($0.rawValue) }),
            (
                "overlapping-query",
                settings.overlappingQuery == usual.overlappingQuery
                    ? nil : .word(settings.overlappingQuery.rawValue)
            ),
        ])
    }
}

extension BackendSettings.Access {
    /// Nil for the usual one.
    fileprivate var node: YAMLNode? {
        switch self {
        case .open: nil
        case .signedIn: .word("signed-in")
        case .rules(let rules): .map([("rules", .list(rules.map(\.node)))])
        }
    }
}

extension AccessRule {
    fileprivate var node: YAMLNode {
        .map([
            ("allow", .words(Right.allCases.filter(rights.contains).map(\.rawValue))),
            ("path", .text(path.description)), ("signed-in", needsSignIn ? .flag(true) : nil),
            ("tokens", tokens.map { .texts($0.sorted()) }),
            ("max-size", maxSize.map(YAMLNode.size)),
            ("content-type", contentType.map { .text($0.description) }),
        ])
    }
}

extension BackendSettings.Token {
    fileprivate var node: YAMLNode { .map([("valid", valid.map(YAMLNode.duration))]) }
}

extension BackendSettings.GivenObject {
    /// As the language writes it.
    var node: YAMLNode {
        .map(
            content.node.pairs + [("contentType", contentType.map(YAMLNode.text))]
                + YAMLNode.map(fields).pairs + [("custom", YAMLNode.map(custom).unlessEmpty)])
    }
}

extension BackendSettings.ConnectionLimit {
    fileprivate var node: YAMLNode {
        .map([
            ("max", .number(count)), ("then", beyond == .refuse ? nil : .word(beyond.rawValue)),
        ])
    }
}

extension ScenarioBackend.LinkChange {
    fileprivate var node: YAMLNode { .map([("at", .duration(at))] + state.node.pairs) }
}

extension BackendSettings.OffsetMismatch {
    fileprivate var node: YAMLNode {
        switch self {
        case .refuse(let status): .number(status)
        case .append: .word("append")
        case .overlap: .word("overlap")
        }
    }
}
