import FaultEngine
import StorageModel

extension ForcedResponse {
    /// As the language writes it.
    var node: YAMLNode {
        if self == ForcedResponse(status: status) { return .number(status) }
        return .map([
            ("preset", preset.map { .word($0.rawValue) }),
            ("status", preset?.status == status ? nil : .number(status)),
            ("reason", reason.map(YAMLNode.text)), ("version", isHTTP10 ? .text("1.0") : nil),
            ("headers", headers.isEmpty ? nil : HeaderValue.node(headers)),
            ("retry-after", retryAfter?.node), ("body", body?.node),
            ("upload-status", uploadStatus.map { .word($0.rawValue) }),
        ])
    }
}

extension ForcedResponse.RetryAfter {
    fileprivate var node: YAMLNode {
        switch self {
        case .seconds(let time): .duration(time)
        case .date(let time): .map([("date", .duration(time))])
        }
    }
}

extension ForcedResponse.Body {
    fileprivate var node: YAMLNode {
        switch self {
        case .content(let content): content.node
        case .json(let value): .map([("json", value.node)])
        }
    }
}

extension HeaderValue {
    fileprivate static func node(_ headers: [HeaderValue]) -> YAMLNode {
        .map(
            headers.map { header in
                switch header.value {
                case .text(let text): (header.name, .text(text))
                case .filler(let size): (header.name, .map([("size", .size(size))]))
                }
            })
    }
}

extension HeaderEdit {
    /// As the language writes it.
    var node: YAMLNode {
        .map([
            ("set", set.isEmpty ? nil : HeaderValue.node(set)),
            ("remove", remove.isEmpty ? nil : .texts(remove)),
            (
                "rename",
                rename.isEmpty ? nil : .map(rename.map { ($0.from, .text($0.to)) })
            ),
            ("duplicate", duplicate.isEmpty ? nil : .texts(duplicate)),
        ])
    }
}

extension JSONEdit {
    /// As the language writes it.
    var node: YAMLNode {
        .map([
            ("set", set.isEmpty ? nil : .map(set.map { ($0.path, $0.value.node) })),
            ("fill", fill.isEmpty ? nil : .map(fill.map { ($0.path, .size($0.size)) })),
            ("remove", remove.isEmpty ? nil : .texts(remove)),
            ("truncate", truncate.map(YAMLNode.size)), ("replace", replace.map(YAMLNode.text)),
        ])
    }
}

extension InterimResponse {
    /// As the language writes it.
    var node: YAMLNode {
        guard !headers.fields.isEmpty else { return .number(status) }
        return .map([
            ("status", .number(status)),
            ("headers", .map(headers.fields.map { ($0.name, .text($0.value)) })),
        ])
    }
}

extension JSONValue {
    /// As YAML writes it.
    var node: YAMLNode {
        switch self {
        case .null: .word("null")
        case .bool(let flag): .flag(flag)
        case .number(let text): .word(text)
        case .string(let text): .text(text)
        case .array(let values): .list(values.map(\.node))
        case .object(let members): .map(members.map { ($0.name, $0.value.node) })
        }
    }
}
