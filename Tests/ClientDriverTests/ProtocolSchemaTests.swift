import Foundation
import StorageModel
import TestSupport
import Testing

@testable import ClientDriver

@Suite("The schema of the driver protocol")
struct ProtocolSchemaTests {
    /// A line and what the codec says of it.
    private struct Judged: Codable {
        let part: String
        let line: String
        let isMessage: Bool
    }

    private static func judged(_ line: String, _ part: ProtocolSchema.Part) -> Judged {
        let bytes = Array(line.utf8)
        let isMessage =
            switch part {
            case .commands: (try? JSONLinesCodec.command(bytes)) != nil
            case .reports: (try? JSONLinesCodec.report(bytes)) != nil
            }
        return Judged(part: part.rawValue, line: line, isMessage: isMessage)
    }

    /// Lines that a validator of JSON Schema judges in another way than the codec.
    private static func disagreements(on lines: [Judged]) throws -> [String] {
        let folder = try TemporaryDirectory()
        try folder.write(
            String(decoding: try JSONEncoder().encode(lines), as: UTF8.self), to: "lines.json")
        for part in ProtocolSchema.Part.allCases {
            try folder.write(ProtocolSchema.text(part), to: "\(part.rawValue).json")
        }
        try folder.write(validator, to: "validate.py")
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [folder.path(of: "validate.py"), folder.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        // Without a validator nothing was compared: 'Conformance/install --tests' brings it.
        #expect(process.terminationStatus == 0, "\(lines)")
        #expect(lines.last == "compared")
        return Array(lines.dropLast())
    }

    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator

        folder = sys.argv[1]
        judges = {}
        for part in ("commands", "reports"):
            schema = json.load(open(f"{folder}/{part}.json"))
            Draft202012Validator.check_schema(schema)
            judges[part] = Draft202012Validator(schema)
        for entry in json.load(open(folder + "/lines.json")):
            valid = judges[entry["part"]].is_valid(json.loads(entry["line"]))
            if valid != entry["isMessage"]:
                print("the schema says", valid, "of", entry["line"])
        print("compared")
        """

    private static let examples = [
        (ProtocolSchema.Part.commands, ProtocolPage.lines(">")),
        (.reports, ProtocolPage.lines("<")),
    ]

    @Test("Takes every example of the page for a message of its part, and of no other")
    func takesExamples() throws {
        let own = Self.examples.flatMap { part, lines in lines.map { Self.judged($0, part) } }
        let swapped = Self.examples.flatMap { part, lines in
            lines.map { Self.judged($0, part == .commands ? .reports : .commands) }
        }
        #expect(own.count > 60)
        let (refused, taken) = (own.filter { !$0.isMessage }, swapped.filter { $0.isMessage })
        #expect(refused.map(\.line) == [])
        #expect(taken.map(\.line) == [])
        #expect(try Self.disagreements(on: own + swapped) == [])
    }

    @Test("Judges changed messages as the codec does")
    func agreesOnChanges() throws {
        var mutation = MessageMutation(seed: 41)
        var lines: [Judged] = []
        for (part, examples) in Self.examples {
            for example in examples {
                let value = try #require(MessageValue(parsing: Array(example.utf8)))
                for _ in 0..<20 {
                    let line = try #require(mutation.changed(value).line)
                    lines.append(Self.judged(line, part))
                }
            }
        }
        // Both verdicts are there in numbers: a judge that says always the same would be seen.
        #expect(lines.count > 1200)
        let messages = lines.filter { $0.isMessage }.count
        #expect(messages > 150)
        #expect(lines.count - messages > 500)
        #expect(try Self.disagreements(on: lines) == [])
    }
}

/// Changes one place of a message: a member, a type, a name, a number.
struct MessageMutation {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func changed(_ value: MessageValue) -> MessageValue {
        switch value {
        case .object(let members):
            return changed(members)
        case .array(let elements) where !elements.isEmpty && number(below: 4) > 0:
            var elements = elements
            let index = number(below: elements.count)
            if number(below: 4) == 0 {
                elements.append(other(than: elements[index]))
            } else {
                elements[index] = changed(elements[index])
            }
            return .array(elements)
        case .null, .bool, .integer, .number, .string, .array: return other(than: value)
        }
    }

    private mutating func changed(_ members: [String: MessageValue]) -> MessageValue {
        var members = members
        let names = members.keys.sorted()
        guard !names.isEmpty else { return .object(["more": .integer(1)]) }
        let name = names[number(below: names.count)]
        switch number(below: 8) {
        case 0: members[name] = nil
        case 1: members[name] = .null
        case 2: members[Self.names[number(below: Self.names.count)]] = .string("x")
        case 3:
            members[name + "s"] = members[name]
            members[name] = nil
        default: members[name] = changed(members[name] ?? .null)
        }
        return .object(members)
    }

    private static let names = [
        "url", "file", "data", "error", "token", "answer", "event", "on", "instance", "metadata",
        "observer", "total", "hello", "more",
    ]

    private mutating func other(than value: MessageValue) -> MessageValue {
        let all: [MessageValue] = [
            .null, .bool(true), .integer(-1), .integer(0), .integer(1), .integer(404),
            .integer(70_000), .integer(1 << 40), .integer((1 << 53) + 1), .number(0.5),
            .string(""), .string("snapshot"), .string("progress"), .string("token"),
            .string("reset"), .string("other"), .array([]), .array([.string("pause")]),
            .array([.integer(1)]), .array([.array([.string("a"), .string("b")])]),
            .object([:]), .object(["a": .string("b")]), .object(["metadata": .object([:])]),
        ]
        return all[number(below: all.count)]
    }

    private mutating func number(below limit: Int) -> Int {
        Int(random.next() % UInt64(limit))
    }
}
