import EventMatching
import StorageModel

extension ScenarioDecoder {
    func numberTest(_ node: YAMLNode, _ unit: NumberTest.Unit) -> NumberTest? {
        guard let text = text(node) else { return nil }
        guard let test = NumberTest(text, unit: unit) else {
            error(
                "'\(text)' is no test of \(Self.name(of: unit)): \(Self.examples(of: unit))",
                at: node.place)
            return nil
        }
        return test
    }

    func statusTest(_ node: YAMLNode) -> StatusTest? {
        guard let text = text(node) else { return nil }
        guard let test = StatusTest(text) else {
            error(
                "'\(text)' is no test of a status: 404, 400..499, \">= 500\" or none",
                at: node.place)
            return nil
        }
        return test
    }

    /// A value, `absent`, `present`, `{contains: x}` or `{matches: GLOB}`.
    func textTest(_ node: YAMLNode) -> TextTest? {
        guard node.mapping != nil else {
            switch text(node) {
            case nil: return nil
            case "absent": return .absent
            case "present": return .present
            case let text?: return .equals(text)
            }
        }
        let keys = Shape.textTest.keys
        guard let reader = MappingReader(node, "a test of a text", keys: keys, self),
            let key = reader.one(of: keys), let value = reader.read(key, text)
        else { return nil }
        return key == "contains" ? .contains(value) : .matches(Glob(value))
    }

    /// A mapping of names to tests.
    func textTests(_ node: YAMLNode, _ what: String) -> [String: TextTest]? {
        var tests: [String: TextTest] = [:]
        for (key, pair) in pairs(node, what) { tests[key] = textTest(pair.value) }
        return tests
    }

    func glob(_ node: YAMLNode) -> Glob? { text(node).map(Glob.init) }

    private static func name(of unit: NumberTest.Unit) -> String {
        switch unit {
        case .count: "a count"
        case .size: "a size"
        case .duration: "a duration"
        case .plain: "a number"
        }
    }

    private static func examples(of unit: NumberTest.Unit) -> String {
        switch unit {
        case .count, .plain: "5, \">= 5\", 4..8, 4.. or ..8"
        case .size: "1MiB, \"< 1MiB\", 4KiB..8KiB, 4KiB.. or ..8KiB"
        case .duration: "5s, \"< 5s\", 4s..8s, 4s.. or ..8s"
        }
    }
}
