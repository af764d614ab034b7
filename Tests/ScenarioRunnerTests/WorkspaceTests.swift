import ClientDriver
import Glibc
import Scenario
import StorageModel
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("Workspace of a scenario")
struct WorkspaceTests {
    private let parent: TemporaryDirectory
    private let workspace: Workspace

    init() throws {
        parent = try TemporaryDirectory()
        workspace = try Workspace(in: parent.path)
    }

    private func carryOut(_ action: LocalAction) throws {
        try workspace.carryOut(action) { try ScenarioContents(besideFile: "a/b.yaml").source($0) }
    }

    private func bytes(of name: String) -> [UInt8]? {
        FileSource(path: workspace.path(of: name))?.allBytes
    }

    private static let text = Content(.bytes(Array("hello".utf8)))

    @Test("Files are made, cut, lengthened, linked and deleted")
    func files() throws {
        try carryOut(.create("note", Self.text))
        #expect(bytes(of: "note") == Array("hello".utf8))
        try carryOut(.truncate("note", size: 2))
        #expect(bytes(of: "note") == Array("he".utf8))
        #expect(workspace.content(ofFile: workspace.path(of: "note"))?.allBytes == Array("he".utf8))
        try carryOut(.grow("note", by: 3))
        #expect(bytes(of: "note") == Array("he\0\0\0".utf8))
        #expect(workspace.content(ofFile: workspace.path(of: "note"))?.count == 5)
        try carryOut(.link("other", to: "note"))
        #expect(bytes(of: "other")?.count == 5)
        try carryOut(.delete("note"))
        #expect(bytes(of: "note") == nil)
    }

    @Test("A missing file cannot be deleted, and the error names it")
    func missing() throws {
        let error = #expect(throws: WorkspaceError.self) { try carryOut(.delete("nothing")) }
        #expect(error?.path.hasSuffix("/files/nothing") == true)
    }

    @Test("A directory is no file, and can be deleted as one")
    func directory() throws {
        try carryOut(.directory("folder"))
        #expect(bytes(of: "folder") == nil)
        try carryOut(.delete("folder"))
        #expect(!workspace.hasFile(workspace.path(of: "folder")))
    }

    @Test("A task's own files go by the task's name")
    func taskFiles() throws {
        let source = try workspace.makeSource(ByteArraySource([1, 2]), forTask: "up")
        #expect(workspace.path(of: "up") == source)
        let destination = try workspace.makeDestination(
            forTask: "down", existing: ByteArraySource([3]), nil)
        #expect(bytes(of: "down") == [3])
        #expect(workspace.path(of: "down") == destination)
    }

    @Test("A destination in a missing folder has no folder")
    func missingFolder() throws {
        let path = try workspace.makeDestination(forTask: "down", existing: nil, .missingFolder)
        #expect(!workspace.hasFile(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])))
    }

    @Test("All is removed in the end, also what may not be touched any more")
    func removed() throws {
        try carryOut(.create("secret", Self.text))
        try carryOut(.forbid("secret"))
        _ = try workspace.makeDestination(
            forTask: "down", existing: ByteArraySource([3]), .readOnly)
        workspace.remove()
        #expect(try parent.names == [])
    }

    @Test("Content beside the scenario file is found there, and its absence is told")
    func besideScenario() throws {
        let directory = try TemporaryDirectory()
        try directory.write("abc", to: "data/sample.txt")
        let contents = ScenarioContents(besideFile: directory.path(of: "case.yaml"))
        let source = try contents.source(Content(.file(path: "data/sample.txt")))
        #expect(source.allBytes == Array("abc".utf8))
        #expect(throws: WorkspaceError.self) {
            try contents.source(Content(.file(path: "data/none.txt")))
        }
    }
}
