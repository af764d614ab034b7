import EventMatching
import FaultEngine
import StorageModel

extension Expectation {
    /// The block `expect`, as the language writes it.
    var node: YAMLNode {
        .map(
            tasks.map { ($0.name, $0.node) } + observers.map { ($0.name, $0.node) }
                + results.map { ($0.name, $0.node) } + [
                    ("stored", stored.isEmpty ? nil : storedNode),
                    ("requests", requests.map { $0.map(\.value).node }),
                    ("exchanges", exchanges.isEmpty ? nil : .list(exchanges.map(\.value.node))),
                    ("sessions", sessions?.node),
                    ("tokens", tokensAsked.map { .map([("asked", $0.value.node)]) }),
                    ("resources", resources?.node), ("complaints", complaints?.value.node),
                    ("invariants", invariants?.value.node),
                    ("outcomes", outcomes.isEmpty ? nil : .list(outcomes.map(\.node))),
                ])
    }

    private var storedNode: YAMLNode {
        .map(stored.map { ($0.object.description, $0.test.node) })
    }
}

extension TaskExpectation {
    fileprivate var node: YAMLNode {
        .map([
            ("events", events.map { .list($0.value.map(\.node)) }),
            ("error", error?.value.node), ("progress", progress?.value.node),
            ("metadata", metadata?.value.node),
            ("time", times.isEmpty ? nil : TimeTest.node(times.map(\.value))),
            ("local", local?.value.node),
            ("completion", completion.map { .word($0.value.rawValue) }), ("ends", ends?.node),
        ])
    }
}

extension ObserverExpectation {
    fileprivate var node: YAMLNode {
        .map([("events", events.map { .list($0.value.map(\.node)) })])
    }
}

extension EndsExpectation {
    /// As the language writes it.
    var node: YAMLNode { .map([("success", success?.node), ("failure", failure?.node)]) }
}

extension ResultExpectation {
    fileprivate var node: YAMLNode {
        .map(
            [("error", error?.value.node)] + values.map { ($0.key, $0.node) } + [
                ("time", times.isEmpty ? nil : TimeTest.node(times.map(\.value))),
                ("completion", completion.map { .word($0.value.rawValue) }), ("ends", ends?.node),
            ])
    }
}

extension ResultValueExpectation {
    fileprivate var node: YAMLNode {
        // The custom fields are the whole test of their key.
        if key == "custom", case .metadata(let test) = test { return .tests(test.custom) }
        return test.node
    }
}

extension ResultTest {
    /// As the language writes it.
    var node: YAMLNode {
        switch self {
        case .text(let test): test.node
        case .number(let test): test.node
        case .list(let wanted): .texts(wanted)
        case .flag(let wanted): .flag(wanted)
        case .content(let wanted): wanted.node
        case .headers(let headers): .tests(headers)
        case .metadata(let test): test.node
        }
    }
}
