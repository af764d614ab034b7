import Foundation
import StorageModel

/// The driver protocol as a JSON Schema, made of the shapes that the codec reads by.
///
/// Source: JSON Schema, draft 2020-12.
package enum ProtocolSchema {
    /// Who sends what the schema is of.
    package enum Part: String, CaseIterable, Sendable {
        /// From Squall to a client.
        case commands
        /// From a client to Squall.
        case reports
    }

    /// One document.
    ///
    /// - Parameter part: nil: a line may be of either.
    package static func text(_ part: Part? = nil) -> String {
        var document: [String: MessageValue] = [
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "title": .string(
                "The driver protocol of Squall, version \(ClientHello.protocolVersion)"),
            "description": .string(
                "One line of the conversation: 'commands' is what Squall sends, 'reports' what a "
                    + "client sends. Whether an id, a task or the kind of an answer fits what went "
                    + "before, no schema can say."),
            "$defs": .object(definitions),
        ]
        let parts = part.map { [$0] } ?? Part.allCases
        document["anyOf"] = .array(parts.map { reference($0.rawValue) })
        return MessageValue.object(document).page
    }

    // MARK: Definitions

    private static let definitions: [String: MessageValue] = {
        var all: [String: MessageValue] = [:]
        var commands: [String: MessageShape] = [
            "hello": .hello, "configure": .configure, "sync": .sync, "end": .end,
            "token-given": .tokenGiven, "token-failed": .tokenFailed,
        ]
        for verb in ClientCommand.VerbName.allCases {
            let shape = MessageShape(verb)
            all["inside-\(verb.rawValue)"] = schema(shape)
            commands[verb.rawValue] = shape.adding([.required("id", .ids)])
        }
        let reports: [String: MessageShape] = [
            "hello": .answerToHello, "answer": .answer, "event": .event,
            "completion": .completion, "question": .question,
        ]
        for (name, shape) in commands { all["command-\(name)"] = schema(shape) }
        for (name, shape) in reports { all["report-\(name)"] = schema(shape) }
        for name in ShapeName.allCases { all[name.rawValue] = schema(.shape(name)) }
        all["commands"] = anyOf(commands.keys.map { "command-\($0)" })
        all["inside"] = anyOf(ClientCommand.VerbName.allCases.map { "inside-\($0.rawValue)" })
        all["reports"] = anyOf(reports.keys.map { "report-\($0)" })
        all["scalar"] = type("string", "integer", "boolean", "null")
        let scalars = MessageValue.object([
            "type": .string("object"), "additionalProperties": reference("scalar"),
        ])
        all["metadata"] = .object([
            "type": .string("object"), "additionalProperties": reference("scalar"),
            "properties": .object([
                "metadata": .object(["anyOf": .array([reference("scalar"), scalars])])
            ]),
        ])
        return all
    }()

    private static func reference(_ name: String) -> MessageValue {
        .object(["$ref": .string("#/$defs/\(name)")])
    }

    private static func anyOf(_ names: [String]) -> MessageValue {
        .object(["anyOf": .array(names.sorted().map(reference))])
    }

    private static func type(_ names: String...) -> MessageValue {
        names.count == 1
            ? .object(["type": .string(names[0])])
            : .object(["type": .array(names.map(MessageValue.string))])
    }

    // MARK: Objects

    private static func schema(_ shape: MessageShape) -> MessageValue {
        var properties: [String: MessageValue] = [:]
        for member in shape.members {
            let kind = schema(member.kind)
            properties[member.name] =
                member.isRequired ? kind : .object(["anyOf": .array([kind, type("null")])])
        }
        var schema: [String: MessageValue] = [
            "type": .string("object"), "properties": .object(properties),
            "required": .array(shape.members.filter(\.isRequired).map { .string($0.name) }),
            "additionalProperties": .bool(false),
        ]
        if let choice = shape.choice { schema["oneOf"] = .array(alternatives(choice)) }
        return .object(schema)
    }

    /// One of them that is not null, or none where none need be.
    private static func alternatives(_ choice: MessageShape.Choice) -> [MessageValue] {
        let given = choice.names.map { name in
            MessageValue.object([
                "required": .array([.string(name)]),
                "properties": .object([name: .object(["not": type("null")])]),
            ])
        }
        guard !choice.isRequired else { return given }
        let absent = choice.names.map { ($0, type("null")) }
        return given + [
            .object(["properties": .object(Dictionary(uniqueKeysWithValues: absent))])
        ]
    }

    // MARK: Members

    private static func schema(_ kind: MemberKind) -> MessageValue {
        switch kind {
        case .text: type("string")
        case .textOrNull: type("string", "null")
        case .word(let word): .object(["const": .string(word)])
        case .name(let names): .object(["enum": .array(names.map(MessageValue.string))])
        case .names(let names, _): list(schema(.name(names)))
        case .integer(let range):
            .object([
                "type": .string("integer"), "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ])
        case .number(let limit):
            .object([
                "type": .string("number"), "exclusiveMinimum": .integer(0),
                "maximum": .integer(limit),
            ])
        case .flag: type("boolean")
        case .texts: list(type("string"))
        case .fields:
            .object([
                "type": .string("object"), "additionalProperties": type("string"),
            ])
        case .metadata: reference("metadata")
        case .headers:
            list(
                .object([
                    "type": .string("array"), "items": type("string"), "minItems": .integer(2),
                    "maxItems": .integer(2),
                ]))
        case .object(let name): reference(name.rawValue)
        case .objects(let name): list(reference(name.rawValue))
        case .commands: list(reference("inside"))
        }
    }

    private static func list(_ items: MessageValue) -> MessageValue {
        .object(["type": .string("array"), "items": items])
    }
}

extension MessageValue {
    /// Many lines, indented, members sorted.
    fileprivate var page: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
