import Foundation
import Scenario
import StorageModel
import Testing

/// A folder of its own for each test, removed with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "squall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }
}

@Suite("Finding scenarios")
struct LoaderTests {
    private static let plain = "title: T\nsource: [D1]\n"
    private static let rows = plain + "matrix: {how: [close, reset]}\n"

    private func texts(_ plan: ScenarioLoader.Plan, _ folder: TemporaryFolder) -> [String] {
        plan.diagnostics.map { $0.text.replacing(folder.path, with: "F") }
    }

    @Test("A directory gives its files in sorted order, with ids below it")
    func directory() throws {
        let folder = try TemporaryFolder()
        for name in ["b/two.yaml", "b/one.yaml", "a.yml", "c.json", "note.md", ".hidden.yaml"] {
            try folder.write(name, Self.plain)
        }
        try folder.write("c.json", #"{"title": "T", "source": ["D1"]}"#)
        let plan = ScenarioLoader().plan([folder.path + "/"])
        #expect(texts(plan, folder) == [])
        #expect(plan.planned.map(\.id) == ["a", "b/one", "b/two", "c"])
        #expect(plan.planned[1].file == folder.path + "/b/one.yaml")
    }

    @Test("A file by itself has its name as id, rows behind it")
    func file() throws {
        let folder = try TemporaryFolder()
        try folder.write("b/cut.yaml", Self.rows)
        let plan = ScenarioLoader().plan([folder.path + "/b/cut.yaml"])
        #expect(plan.planned.map(\.id) == ["cut[how=close]", "cut[how=reset]"])
    }

    @Test("One row can be asked for", arguments: ["cut.yaml[how=reset]", "cut[how=reset]"])
    func row(path: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("cut.yaml", Self.rows)
        let plan = ScenarioLoader().plan([folder.path + "/" + path])
        #expect(plan.planned.map(\.id) == ["cut[how=reset]"])
        #expect(plan.isValid)
    }

    @Test("A row that is not there is an error that tells the nearest")
    func wrongRow() throws {
        let folder = try TemporaryFolder()
        try folder.write("cut.yaml", Self.rows)
        let plan = ScenarioLoader().plan([folder.path + "/cut.yaml[how=rest]"])
        #expect(
            texts(plan, folder) == [
                "F/cut.yaml:1:1: error: the matrix has no row '[how=rest]'\n"
                    + "  did you mean '[how=reset]'?"
            ])
        #expect(plan.planned.isEmpty)
    }

    @Test("Two equal ids in one run are an error")
    func equalIds() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/cut.yaml", Self.plain)
        try folder.write("b/cut.yaml", Self.plain)
        let plan = ScenarioLoader().plan([folder.path + "/a/cut.yaml", folder.path + "/b"])
        #expect(
            texts(plan, folder) == [
                "F/b/cut.yaml:1:1: error: the id 'cut' is that of F/a/cut.yaml too"
            ])
        #expect(!plan.isValid)
    }

    private func suite() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("suite/VERSION", "1.0\n")
        for name in ["a/cut.yaml", "b/cut.yaml", "b/c/cut.yaml"] {
            try folder.write("suite/" + name, Self.plain)
        }
        try folder.write("suite/b/rows.yaml", Self.rows)
        try folder.write("other/cut.yaml", Self.plain)
        return folder
    }

    @Test(
        "Several paths in one suite have ids below the suite",
        arguments: [
            (["suite/a", "suite/b/"], ["a/cut", "b/c/cut", "b/cut", "b/rows[how=close]"]),
            (["suite/b/c", "suite/b/../a"], ["b/c/cut", "a/cut"]),
            (["suite/a/cut.yaml", "suite/b/cut.yaml"], ["a/cut", "b/cut"]),
            (["suite/b/rows[how=reset]", "suite/a"], ["b/rows[how=reset]", "a/cut"]),
        ])
    func severalInSuite(paths: [String], ids: [String]) throws {
        let folder = try suite()
        let plan = ScenarioLoader().plan(paths.map { folder.path + "/" + $0 })
        #expect(texts(plan, folder) == [])
        #expect(
            plan.planned.map(\.id).filter { $0 != "b/rows[how=reset]" || ids.contains($0) } == ids)
    }

    @Test(
        "One path has ids below itself, in a suite too",
        arguments: [("suite/b/c", "cut"), ("suite/a/cut.yaml", "cut"), ("suite/b/c/", "cut")])
    func oneInSuite(path: String, id: String) throws {
        let folder = try suite()
        #expect(ScenarioLoader().plan([folder.path + "/" + path]).planned.map(\.id) == [id])
    }

    @Test(
        "Equal ids of one suite, or of a suite and another place, stay an error",
        arguments: [
            (["suite/a", "suite/a/cut.yaml"], "the id 'a/cut' is that of F/suite/a/cut.yaml too"),
            (["suite/a", "other"], "the id 'cut' is that of F/suite/a/cut.yaml too"),
        ])
    func collisionsThatRemain(paths: [String], message: String) throws {
        let folder = try suite()
        let plan = ScenarioLoader().plan(paths.map { folder.path + "/" + $0 })
        #expect(texts(plan, folder).count == 1)
        #expect(texts(plan, folder).first?.hasSuffix(message) == true)
    }

    @Test("Paths that lead nowhere are errors with the path")
    func missing() throws {
        let folder = try TemporaryFolder()
        let plan = ScenarioLoader().plan([folder.path + "/none.yaml", folder.path, "/dev/null"])
        #expect(
            texts(plan, folder) == [
                "F/none.yaml:1:1: error: there is no such file or directory",
                "F:1:1: error: there is no scenario in this directory",
                "/dev/null:1:1: error: this is neither a file nor a directory",
            ])
    }

    @Test("A file of 10 MB is refused without being read whole")
    func tooLarge() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.yaml", String(repeating: "x", count: 10_000_000))
        let plan = ScenarioLoader().plan([folder.path + "/a.yaml"])
        #expect(texts(plan, folder) == ["F/a.yaml:1:1: error: the file is larger than 1 MiB"])
    }

    @Test("A wrong file leaves the others as they are")
    func oneWrong() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.yaml", "titel: T")
        try folder.write("b.yaml", Self.plain)
        let plan = ScenarioLoader().plan([folder.path])
        #expect(plan.planned.map(\.id) == ["b"])
        #expect(!plan.isValid)
    }

    @Test("Content can be a file beside the scenario")
    func besides() throws {
        let folder = try TemporaryFolder()
        try folder.write("sample.png", "x")
        try folder.write("a.yaml", Self.plain + "steps: [{upload: a, data: {file: sample.png}}]")
        let plan = ScenarioLoader().plan([folder.path + "/a.yaml"])
        #expect(texts(plan, folder) == [])
        guard case .upload(let upload)? = plan.planned.first?.scenario.steps.first?.verb else {
            Issue.record("no upload")
            return
        }
        #expect(upload.source == .data(.init(.file(path: folder.path + "/sample.png"))))
    }

    @Test("A scenario with a matrix is served by one of its rows")
    func serving() throws {
        let folder = try TemporaryFolder()
        try folder.write("cut.yaml", Self.rows)
        let plan = ScenarioLoader().planForServing(folder.path + "/cut.yaml")
        #expect(
            texts(plan, folder) == [
                "F/cut.yaml:1:1: error: one scenario is served at a time, this is 2\n"
                    + "  did you mean 'F/cut.yaml[how=close]'?"
            ])
        #expect(ScenarioLoader().planForServing(folder.path + "/cut.yaml[how=reset]").isValid)
    }

    @Test("A trigger that a server cannot see is refused at its place when served")
    func servingTriggers() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "a.yaml",
            Self.plain
                + """
                faults: [{match: upload.body, at: request-head, do: {hold: up pause}}]
                steps: [{upload: a, as: up, data: {text: x}}]
                """)
        let path = folder.path + "/a.yaml"
        #expect(ScenarioLoader().plan([path]).isValid)
        let plan = ScenarioLoader().planForServing(path)
        #expect(
            texts(plan, folder).map { String($0.prefix { $0 != "\n" }) } == [
                "F/a.yaml:3:60: error: a served scenario has no client, so there is never "
                    + "an event of the task 'up'"
            ])
        #expect(plan.diagnostics.first?.sourceLine?.hasPrefix("faults:") == true)
    }
}
