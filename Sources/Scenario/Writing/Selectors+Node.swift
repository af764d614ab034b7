import FaultEngine
import StorageModel

extension ExchangeSelector {
    /// `upload.body#2`
    var matchNode: YAMLNode { .word("\(operation)\(ordinal)") }

    /// Nil for the usual scope.
    var perNode: YAMLNode? { per == .transfer ? nil : .word(per.rawValue) }
}

extension ExchangeFilters {
    /// As the language writes it.
    var node: YAMLNode {
        .map([
            ("path", path.map { .text($0.description) }), ("bucket", bucket.map(YAMLNode.text)),
            ("method", method.map(YAMLNode.text)),
            ("target", target.map { .text($0.description) }),
            ("query", YAMLNode.tests(query).unlessEmpty),
            ("header", YAMLNode.tests(headers).unlessEmpty),
            ("json", YAMLNode.tests(json).unlessEmpty), ("token", token.map(YAMLNode.text)),
            ("session", session.map(YAMLNode.number)),
            ("connection", connection.map(YAMLNode.number)),
            ("reused", isReused.map(YAMLNode.flag)), ("from", from.map(YAMLNode.duration)),
            ("until", until.map(YAMLNode.duration)), ("since", since?.node),
        ])
    }
}

extension Trigger {
    /// As the language writes it.
    var node: YAMLNode {
        if case .all(let parts) = self { return .list(parts.map(\.node)) }
        return .word(text)
    }
}
