import StorageModel

extension ScenarioDecoder {
    /// JSON data as YAML writes it. Source: YAML 1.2.2 section 10.3.2, the core schema.
    func json(_ node: YAMLNode) -> JSONValue? {
        switch node.value {
        case .scalar(let text, let style):
            return style == .plain ? plainJSON(text, node) : .string(text)
        case .sequence(let nodes): return .array(nodes.compactMap(json))
        case .mapping(let pairs):
            return .object(
                pairs.compactMap { pair in
                    json(pair.value).map { .init(name: pair.key.scalar ?? "", value: $0) }
                })
        }
    }

    private func plainJSON(_ text: String, _ node: YAMLNode) -> JSONValue? {
        if node.isNull { return .null }
        switch text {
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".inf", ".Inf", ".INF", "+.inf", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN":
            error("JSON has no number '\(text)'", at: node.place)
            return nil
        default: return Self.number(text) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> JSONValue? {
        if text.hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16) {
            return .number(String(value))
        }
        if text.hasPrefix("0o"), let value = UInt64(text.dropFirst(2), radix: 8) {
            return .number(String(value))
        }
        if isJSONNumber(text) { return .number(text) }
        if text.first == "+", isJSONNumber(String(text.dropFirst())) {
            return .number(String(text.dropFirst()))
        }
        return nil
    }

    /// Source: RFC 8259 section 6.
    static func isJSONNumber(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        let startsWithZero = rest.first == 0x30
        let whole = digits()
        guard whole > 0, !(startsWithZero && whole > 1) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest.removeFirst()
            }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
