import StorageModel

/// The scenario language as a JSON Schema, made of the tables that the decoder reads by.
///
/// Source: JSON Schema, draft 2020-12.
package enum ScenarioSchema {
    /// What kind of file the schema is of.
    package enum Part: String, CaseIterable, Sendable {
        case scenario
        /// A list of faults, as the key `faults` has it.
        case faults

        fileprivate var root: ValueKind {
            switch self {
            case .scenario: .shape(.scenario)
            case .faults: .list(.any([.inner(.faultLine), .shape(.fault)]))
            }
        }

        fileprivate var title: String {
            switch self {
            case .scenario: "A scenario of Squall"
            case .faults: "Faults of a scenario of Squall"
            }
        }
    }

    /// The whole document.
    package static func text(_ part: Part = .scenario) -> String {
        var definitions: [JSONValue.Member] = []
        definitions.append(.init("step", SchemaWriter.step))
        definitions.append(.init("matrix-value", SchemaWriter.matrixValue))
        for text in ValueKind.InnerText.allCases {
            definitions.append(.init(text.rawValue, SchemaWriter.schema(text)))
        }
        for shape in Shape.allCases {
            definitions.append(.init(shape.rawValue, SchemaWriter.schema(shape)))
        }
        for shape in [Shape.expectation] {
            definitions.append(.init("profile-block", SchemaWriter.profileBlock(shape)))
        }
        let document = JSONValue.object([
            .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            .init("title", .string(part.title)),
            .init(
                "description",
                .string(
                    "Made by 'squall schema \(part.rawValue)' of the tables that 'squall check' reads "
                        + "by. What names mean, what fits together and the inside of some texts, "
                        + "'squall check' alone can tell.")),
            .init("$ref", SchemaWriter.reference(part.root)),
            .init("$defs", .object(definitions)),
        ])
        return document.page + "\n"
    }
}

extension JSONValue.Member {
    init(_ name: String, _ value: JSONValue) { self.init(name: name, value: value) }
}

extension JSONValue {
    /// Indented by two spaces; short arrays and objects of scalars stay on their line.
    fileprivate var page: String { lines(indent: 0) }

    private func lines(indent: Int) -> String {
        let short = text
        if short.utf8.count + indent <= 96 { return short }
        let pad = String(repeating: " ", count: indent + 2)
        let end = String(repeating: " ", count: indent)
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let parts = elements.map { pad + $0.lines(indent: indent + 2) }
            return "[\n" + parts.joined(separator: ",\n") + "\n\(end)]"
        case .object(let members) where !members.isEmpty:
            let parts = members.map { member in
                pad + JSONValue.string(member.name).text + ": "
                    + member.value.lines(indent: indent + 2)
            }
            return "{\n" + parts.joined(separator: ",\n") + "\n\(end)}"
        default: return short
        }
    }
}
