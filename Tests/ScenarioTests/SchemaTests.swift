import Foundation
import StorageModel
import Testing

@testable import Scenario

/// The JSON Schema of scenario files beside the reader: a validator of JSON Schema and `squall check`
/// say the same, but for mistakes that a schema cannot see.
@Suite("The schema of scenario files", .timeLimit(.minutes(5)))
struct SchemaTests {
    /// A file as JSON, and what the reader says of it.
    private struct Judged: Codable {
        let name: String
        let json: String
        let mistakes: [String]
    }

    /// What the reader alone can see, by the beginnings of its messages; `scenarios/README.md` lists
    /// the kinds.
    private static let unseen = [
        // Names that nothing gives, or that are given twice
        "unknown task", "unknown upload or given object", "unknown token", "unknown instance",
        "unknown step", "unknown fault", "unknown observer", "unknown process",
        "unknown matrix value", "is no result of", "is given twice", "is reserved",
        "stands in no 'repeat'", "has the rounds", "is no task",
        // Rows
        "no row of the matrix is like this", "the matrix ", "has no member", "counts only in",
        // What fits together
        "lies beyond the end", "needs 'at'", "only 'match: connect'", "'connect' has the phase",
        "has no request body", "carries no object bytes", "'drop' has its own moments",
        "'inside' needs", "needs 'inside: true'", "is for downloads", "is an upload",
        "was started with 'observers: none'", "counts under a name of 'repeat'",
        "is known of upload.body", "no time is from",
        // The inside of texts
        "unknown operation", "unknown event", "unknown phase", "unknown action", "is no ordinal",
        "unknown condition", "is no status", "is missing", "is no part of", "is no test of",
        "is not base64",
        // Sets and limits
        "there is no rule", "stand in the order", "lies beyond the",
        // Files
        "there is no file",
    ]

    private static let suite =
        FileManager.default.enumerator(atPath: Fixtures.folder + "/../../../scenarios")?
        .compactMap { $0 as? String }.filter { $0.hasSuffix(".yaml") }.sorted() ?? []

    private static func tree(_ name: String) throws -> JSONValue {
        let path = "\(Fixtures.folder)/../../../scenarios/\(name)"
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let document = try #require(YAMLDocument.read(bytes, file: name).document)
        let decoder = ScenarioDecoder(log: DiagnosticLog(document.source), folder: "")
        return try #require(decoder.json(document.root))
    }

    /// JSON is YAML, so that the reader takes it.
    private static func judged(_ name: String, _ value: JSONValue) -> Judged {
        let folder = "\(Fixtures.folder)/../../../scenarios/\(name)"
        let plan = ScenarioLoader().read(Array(value.text.utf8), file: folder, id: "a")
        let wrong = plan.diagnostics.filter { $0.severity == .error && $0.kind == .invalid }
        return Judged(name: name, json: value.text, mistakes: wrong.map(\.message))
    }

    private static func isUnseen(_ mistakes: [String]) -> Bool {
        // A value that the matrix does not give is wrong wherever it was to stand.
        if mistakes.contains(where: { $0.contains("unknown matrix value") }) { return true }
        return mistakes.allSatisfy { mistake in unseen.contains { mistake.contains($0) } }
    }

    /// What a validator of JSON Schema says of each file, in order.
    private static func verdicts(_ files: [Judged]) throws -> [Bool] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "squall-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let path = { (name: String) in folder.appending(path: name) }
        try JSONEncoder().encode(files).write(to: path("files.json"))
        try Data(ScenarioSchema.text().utf8).write(to: path("schema.json"))
        try Data(validator.utf8).write(to: path("validate.py"))
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [path("validate.py").path, folder.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        // Without a validator nothing was compared: 'Conformance/install --tests' brings it.
        try #require(process.terminationStatus == 0, "\(lines)")
        return lines.map { $0 == "valid" }
    }

    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator

        schema = json.load(open(sys.argv[1] + "/schema.json"))
        Draft202012Validator.check_schema(schema)
        judge = Draft202012Validator(schema)
        for entry in json.load(open(sys.argv[1] + "/files.json")):
            print("valid" if judge.is_valid(json.loads(entry["json"])) else "invalid")
        """

    @Test("Every scenario of the suite fits the schema")
    func takesTheSuite() throws {
        #expect(Self.suite.count > 150)
        let files = try Self.suite.map { Self.judged($0, try Self.tree($0)) }
        let wrong = files.filter { !$0.mistakes.isEmpty }
        #expect(wrong.map { "\($0.name): \($0.mistakes)" } == [])
        let verdicts = try Self.verdicts(files)
        #expect(verdicts.count == files.count)
        #expect(zip(files, verdicts).filter { !$1 }.map(\.0.name) == [])
    }

    @Test(
        "Of files that are changed in keys, kinds, needed values and words both say the same",
        arguments: [17, 18])
    func agreesOnChanges(seed: UInt64) throws {
        var mutation = ScenarioMutation(seed: seed)
        var files: [Judged] = []
        // Changes inside a text with a grammar of its own, which the reader alone reads to its end.
        var inside: Set<Int> = []
        for round in 0..<400 {
            let name = Self.suite[mutation.number(below: Self.suite.count)]
            let changed = mutation.changed(try Self.tree(name), kind: round % 4)
            files.append(Self.judged(name, changed))
            if mutation.changedInside { inside.insert(round) }
        }
        let verdicts = try Self.verdicts(files)
        try #require(verdicts.count == files.count)
        for (round, (file, fits)) in zip(files, verdicts).enumerated() {
            if fits, !inside.contains(round) {
                #expect(Self.isUnseen(file.mistakes), "\(file.name): \(file.mistakes) \(file.json)")
            } else if !fits {
                #expect(!file.mistakes.isEmpty, "the schema alone refuses \(file.json)")
            }
        }
        // Both verdicts are there in numbers, and the schema sees most of what is wrong.
        #expect(verdicts.count { $0 } > 50)
        #expect(verdicts.count { !$0 } > 200)
    }

    @Test("A broken table is seen: a schema without a key does not fit the suite")
    func seesAMissingKey() throws {
        let files = try Self.suite.map { Self.judged($0, try Self.tree($0)) }
        let strange = files.map { file in
            Judged(
                name: file.name,
                json: file.json.replacing("\"title\"", with: "\"heading\""), mistakes: [])
        }
        #expect(try Self.verdicts(strange).allSatisfy { !$0 })
    }
}

/// Changes one place of a scenario.
struct ScenarioMutation {
    private var random: SplitMix64
    /// True when the last change was inside a text of several words.
    private(set) var changedInside = false

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func number(below limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    /// - Parameter kind: 0: a key, 1: a kind of value, 2: a value goes, 3: a word.
    mutating func changed(_ value: JSONValue, kind: Int) -> JSONValue {
        changedInside = false
        guard case .object(var members) = value else { return value }
        let open = members.indices.filter {
            !["matrix", "matrix-exclude", "profiles", "title", "about", "symptom", "smoke"]
                .contains(members[$0].name)
        }
        if kind == 0 || kind == 2, number(below: 5) == 0 {
            return altered(value, kind)
        }
        let index = open[number(below: open.count)]
        members[index].value = inside(members[index].value, kind)
        return .object(members)
    }

    /// A place somewhere below, this one included.
    private mutating func inside(_ value: JSONValue, _ kind: Int) -> JSONValue {
        switch value {
        case .object(var members) where !members.isEmpty:
            if number(below: 3) == 0 { return altered(value, kind) }
            let index = number(below: members.count)
            members[index].value = inside(members[index].value, kind)
            return .object(members)
        case .array(var elements) where !elements.isEmpty:
            if kind == 1, number(below: 4) == 0 { return altered(value, kind) }
            let index = number(below: elements.count)
            elements[index] = inside(elements[index], kind)
            return .array(elements)
        default: return altered(value, kind)
        }
    }

    private mutating func altered(_ value: JSONValue, _ kind: Int) -> JSONValue {
        switch (kind, value) {
        case (0, .object(var members)) where !members.isEmpty:
            let index = number(below: members.count)
            if number(below: 2) == 0 {
                members.append(.init(name: "strange", value: .number("1")))
            } else {
                members[index].name += "x"
            }
            return .object(members)
        case (2, .object(var members)) where !members.isEmpty:
            members.remove(at: number(below: members.count))
            return .object(members)
        case (3, .string(let text)) where !text.contains("${"):
            changedInside = text.contains(" ")
            return .string(text + "x")
        default: return otherKind(than: value)
        }
    }

    private mutating func otherKind(than value: JSONValue) -> JSONValue {
        switch value {
        case .string, .number, .bool:
            number(below: 2) == 0
                ? .array([.string("a")]) : .object([.init(name: "a", value: .number("1"))])
        case .array, .object, .null: number(below: 2) == 0 ? .string("a") : .null
        }
    }
}
