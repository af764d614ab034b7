import EventMatching
import FaultEngine
import StorageModel

extension NumberTest {
    var node: YAMLNode { .word(description) }
}

extension StatusTest {
    var node: YAMLNode { .word(description) }
}

extension TextTest {
    /// As the language writes it.
    var node: YAMLNode {
        switch self {
        case .equals(let text): .text(text)
        case .absent: .word("absent")
        case .present: .word("present")
        case .contains(let part): .map([("contains", .text(part))])
        case .matches(let glob): .map([("matches", .text(glob.description))])
        }
    }
}

extension YAMLNode {
    /// Tests by the names of what they test, sorted.
    static func tests(_ tests: [String: TextTest]) -> YAMLNode {
        map(tests.sorted { $0.key < $1.key }.map { ($0.key, $0.value.node) })
    }
}

extension MetadataTest {
    /// As the language writes it.
    var node: YAMLNode {
        if isNone { return .word("absent") }
        return .map(
            [("size", size?.node)] + YAMLNode.tests(fields).pairs
                + [("custom", YAMLNode.tests(custom).unlessEmpty)])
    }
}

extension ErrorTest {
    /// As the language writes it.
    var node: YAMLNode {
        var code: YAMLNode?
        var allow: YAMLNode?
        switch codes {
        case .none: return .word("none")
        case .any: break
        case .one(let one): code = .word(one.rawValue)
        case .allowed(let codes): allow = .words(codes.map(\.rawValue))
        }
        let under = YAMLNode.map([
            ("status", status?.node), ("transport", transport.map { .word($0.rawValue) }),
            ("body", body?.node),
        ])
        return .map([
            ("code", code), ("allow", allow), ("underlying", under.unlessEmpty),
            ("message", message?.node),
        ])
    }
}

extension ProgressTest {
    /// As the language writes it; what a profile leaves out is told behind that.
    var node: YAMLNode {
        let total: YAMLNode? =
            switch self.total {
            case .unknown?: .word("unknown")
            case .bytes(let bytes)?: bytes.node
            case nil: nil
            }
        var pairs: [(String, YAMLNode?)] = [
            ("total", total), ("first", first?.node), ("last", last?.node),
            ("count", count?.node), ("falls", falls?.node), ("fraction", fraction?.node),
        ]
        if leavesOutStart { pairs.append(("without", .word("the zero of the start"))) }
        switch closing {
        case .none: break
        case .success: pairs.append(("without", .word("the one right before a success")))
        case .successAndFailure: pairs.append(("without", .word("the one right before the end")))
        }
        return .map(pairs)
    }
}

extension TimeTest {
    /// The key of a test: `end`, `pause#2`.
    private var key: String {
        let word =
            switch moment {
            case .end: "end"
            case .event(let kind): kind.rawValue
            }
        return word + (bytes.map { "@\($0)" } ?? "") + (ordinal > 1 ? "#\(ordinal)" : "")
    }

    /// Several tests under their keys; one that has a key of its own already gets another spelling.
    static func node(_ tests: [TimeTest]) -> YAMLNode {
        var used: Set<String> = []
        return .map(
            tests.map { test in
                var key = test.key
                if used.contains(key), test.ordinal == 1 { key += "#1" }
                while !used.insert(key).inserted { key = key.replacing("#", with: "#0") }
                guard let since = test.since else { return (key, test.test.node) }
                return (key, .map([("since", since.node), ("is", test.test.node)]))
            })
    }
}

extension EventPattern {
    /// As the language writes it.
    var node: YAMLNode {
        node { atom, repetition in
            switch atom {
            case .quiet(let duration): .map([("quiet", .duration(duration))])
            case .event: .word(atom.text(repetition))
            }
        }
    }
}

extension RequestPattern {
    /// As the language writes it.
    var node: YAMLNode { node { .word($0.text($1)) } }
}

extension SequencePattern {
    fileprivate func node(_ write: (Atom, Repetition) -> YAMLNode) -> YAMLNode {
        switch self {
        case .atom(let atom, let repetition): return write(atom, repetition)
        case .any(let alternatives):
            return .map([
                ("any", .list(alternatives.map { .list($0.map { $0.node(write) }) }))
            ])
        case .sequence(let parts, let repetition):
            let times = repetition == .once ? nil : YAMLNode.word(repetition.timesText)
            return .map([("sequence", .list(parts.map { $0.node(write) })), ("times", times)])
        }
    }
}

extension Repetition {
    /// As `times` takes it.
    fileprivate var timesText: String {
        guard let upper else { return "\(lower).." }
        return lower == upper ? "\(lower)" : "\(lower)..\(upper)"
    }
}
