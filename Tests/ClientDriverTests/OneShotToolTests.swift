import StorageModel
import Testing

@testable import ClientDriver

@Suite("Command-line tools")
struct OneShotToolTests {
    private func template(_ groups: [[String]], optional: Set<Int> = []) throws -> OneShotTemplate {
        OneShotTemplate(
            try groups.enumerated().map { index, group in
                OneShotTemplate.Group(
                    try group.map(OneShotTemplate.parts), isOptional: optional.contains(index))
            })
    }

    // MARK: Arguments

    @Test("Placeholders are put in, several in one argument, and doubled braces stand for braces")
    func placeholders() throws {
        let template = try template([["tool"], ["{base}?name={object-escaped}"], ["{{x}}"], [""]])
        let words = template.words([.base: "http://h/o", .objectEscaped: "a%2Fb"])
        #expect(words == ["tool", "http://h/o?name=a%2Fb", "{x}", ""])
    }

    @Test("A group without a value for one of its placeholders is left out whole")
    func optionalGroups() throws {
        let template = try template([["tool"], ["-H", "T: {content-type}"]], optional: [1])
        #expect(template.words([:]) == ["tool"])
        #expect(template.words([.contentType: "a/b"]) == ["tool", "-H", "T: a/b"])
    }

    @Test("An argument that is no group is there, and empty where nothing is known")
    func emptyValues() throws {
        #expect(try template([["tool"], ["{token}"]]).words([:]) == ["tool", ""])
    }

    @Test(
        "A placeholder that nobody knows, or without an end, is refused with its place",
        arguments: [
            ("ab{nothing}", OneShotTemplate.Failure.unknown("nothing", offset: 2)),
            ("a{file", .openBrace(offset: 1)), ("{}", .unknown("", offset: 0)),
        ])
    func badPlaceholders(text: String, failure: OneShotTemplate.Failure) {
        #expect(throws: failure) { try OneShotTemplate.parts(of: text) }
    }

    // MARK: Exit codes

    private func tool() -> OneShotTool {
        var tool = OneShotTool(name: "tool")
        tool.exits = [
            22: .status, 7: .error(.unknown, .refused), 9: .success, 5: .error(.cancelled, nil),
        ]
        tool.statusAfter = "returned error:"
        return tool
    }

    private func error(_ code: Int32, _ log: String = "", _ output: String = "") -> ClientError? {
        tool().error(exit: code, output: Array(output.utf8), errorOutput: Array(log.utf8))
    }

    @Test("Zero is success, and so is what is said to be", arguments: [0, 9] as [Int32])
    func success(code: Int32) {
        #expect(error(code, "returned error: 404") == nil)
    }

    @Test(
        "The last status in the error output tells the error",
        arguments: [
            (401, ErrorCode.unauthenticated), (402, .quotaExceeded), (403, .unauthorized),
            (404, .objectNotFound), (503, .unknown),
        ])
    func statuses(status: Int, code: ErrorCode) {
        let error = error(22, "returned error: 500\ntool: returned error: \(status)\n", "no such")
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(error?.body == "no such")
        #expect(error?.name == "exit 22")
        #expect(error?.message == "tool: returned error: \(status)")
    }

    @Test("An exit that means a status and tells none is unknown, without a status")
    func noStatus() {
        let error = error(22, "returned error: none")
        #expect(error?.code == .unknown)
        #expect(error?.status == nil)
    }

    @Test("A transport fault is told, and an exit code of which nothing is said is 'other'")
    func others() {
        #expect(error(7)?.transport == .refused)
        #expect(error(7)?.code == .unknown)
        #expect(error(5)?.code == .cancelled)
        #expect(error(77)?.code == .other)
        #expect(error(77)?.name == "exit 77")
    }

    // MARK: Capabilities

    @Test("Capabilities follow from the templates; what no template shows is taken from the file")
    func capabilities() throws {
        var tool = OneShotTool(name: "tool")
        tool.properties = [.checksums, .pause, .downloadMemory]
        #expect(tool.capabilities == [.checksums])
        tool.commands[.upload] = try template([["t"], ["{token}"], ["{chunk-size}"]])
        #expect(
            tool.capabilities == [.checksums, .uploadData, .uploadFile, .tokens, .chunkSize])
        tool.commands[.download] = try template([["t"], ["{max-size}"]])
        tool.cancel = .int
        #expect(tool.capabilities.isSuperset(of: [.downloadFile, .downloadMemory, .cancel]))
        #expect(!tool.capabilities.contains(.pause))
        tool.commands[.getMetadata] = try template([["t"]])
        #expect(!tool.capabilities.contains(.metadata), "it cannot change them")
        tool.commands[.updateMetadata] = try template([["t"]])
        #expect(tool.capabilities.contains(.metadata))
        tool.commands[.url] = try template([["t"]])
        #expect(!tool.capabilities.contains(.url), "what it gives cannot be fetched")
        tool.commands[.fetch] = try template([["t"], ["{url}"], ["{file}"]])
        #expect(tool.capabilities.contains(.url))
    }

    // MARK: What a fetch prints

    @Test("Status and headers are those of the last head, whatever ends its lines")
    func heads() throws {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 200 \nContent-Type:  a/b \nX: \n\n"
        let head = try #require(OneShotTool.head(Array(text.utf8)))
        #expect(head.status == 200)
        #expect(
            head.headers
                == HTTPHeaders([
                    .init(name: "Content-Type", value: "a/b"), .init(name: "X", value: ""),
                ]))
    }

    @Test(
        "What is no head is not taken for one",
        arguments: ["", "hello", "HTTP/1.1 OK", "HTTP/1.1 99 No", "HTTP/1.1 200 OK\nbody", ": x"])
    func noHeads(text: String) {
        #expect(OneShotTool.head(Array(text.utf8)) == nil)
    }
}
