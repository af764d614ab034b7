import EventMatching
import FaultEngine
import StorageModel

extension [RequestsExpectation.Part] {
    /// As the language writes it: a list of patterns where it is about the whole log.
    var node: YAMLNode {
        count == 1 ? self[0].shortNode : .list(map(\.node))
    }
}

extension RequestsExpectation.Part {
    /// The patterns alone where it is about the whole log.
    var shortNode: YAMLNode {
        path == nil && after == nil && before == nil ? patterns : node
    }

    private var patterns: YAMLNode { .list(pattern.map(\.node)) }

    fileprivate var node: YAMLNode {
        .map([
            ("of", path.map { ObjectAddress(bucket: bucket, path: $0).node }),
            ("after", after?.node), ("before", before?.node), ("are", patterns),
        ])
    }
}

extension ExchangesTest {
    /// As the language writes it.
    var node: YAMLNode {
        let conditions = selector.filters.node.pairs + [("status", whereStatus?.node)]
        let selection: [(String, YAMLNode?)] = [
            ("match", selector.matchNode), ("where", YAMLNode.map(conditions).unlessEmpty),
            ("per", selector.perNode), ("after", after?.node), ("before", before?.node),
            ("any", quantifier == .any ? .flag(true) : nil),
        ]
        let single: [(String, YAMLNode?)] = [
            ("header", YAMLNode.tests(headers).unlessEmpty),
            ("query", YAMLNode.tests(query).unlessEmpty),
            ("json", YAMLNode.tests(json).unlessEmpty), ("status", status?.node),
            ("offset", offset?.node), ("length", length?.node), ("declared", declared?.node),
        ]
        return .map(
            selection + single + [
                ("uploaded", uploaded?.node), ("downloaded", downloaded?.node),
                ("count", count?.node), ("gap", gap?.node), ("growth", growth?.node),
                ("overlap", overlap.map(YAMLNode.flag)), ("connections", connections?.node),
            ])
    }
}

extension SessionsExpectation {
    /// As the language writes it.
    var node: YAMLNode {
        .map([("open", open?.node), ("started", started?.node), ("fed", fed?.node)])
    }
}

extension ResourcesExpectation {
    /// As the language writes it.
    var node: YAMLNode { .map([("tasks", tasks?.node), ("connections", connections?.node)]) }
}

extension ComplaintsTest {
    /// As the language writes it.
    var node: YAMLNode {
        switch self {
        case .none: .word("none")
        case .names(let names): .words(names)
        }
    }
}

extension InvariantExceptions {
    /// As the language writes it.
    var node: YAMLNode {
        let names = Invariant.allCases.filter(invariants.contains).map(\.rawValue)
        return .map([("except", .words(names)), ("why", .text(why))])
    }
}
