import StorageModel
import Testing

@testable import ClientDriver

@Suite("Messages as lines of JSON")
struct JSONLinesCodecTests {
    private static func refusal(ofReport line: String) -> String? {
        do throws(MessageError) {
            _ = try JSONLinesCodec.report(Array(line.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    private static func refusal(ofCommand line: String) -> String? {
        do throws(MessageError) {
            _ = try JSONLinesCodec.command(Array(line.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "A wrong report is refused with its member and what would be right",
        arguments: [
            ("", "is not JSON"), ("nonsense", "is not JSON"), ("{", "is not JSON"),
            (#"{"answer":1} {"answer":2}"#, "is not JSON"),
            ("[1]", "is a list, not an object"), ("7", "is a number, not an object"),
            ("{}", "has none of: answer, event, completion, ask"),
            (#"{"answer":"1"}"#, "'answer' is a text, not a whole number"),
            (#"{"answer":1.5}"#, "'answer' is a number, not a whole number"),
            (#"{"answer":-1}"#, "'answer' is -1, not within 0...2147483647"),
            (#"{"answer":true}"#, "'answer' is true or false, not a whole number"),
            (
                #"{"answer":1,"url":"x","error":{}}"#,
                "has more than one of: error, url"
            ),
            (
                #"{"event":"resum","task":"up","completed":0}"#,
                "'event' is 'resum', not one of: resume, progress, pause, success, failure"
            ),
            (#"{"event":"resume","completed":0}"#, "'task' is missing"),
            (#"{"event":"resume","task":"up"}"#, "'completed' is missing"),
            (
                #"{"event":"resume","task":"up","completed":0,"bytes":7}"#,
                "'bytes' is unknown here; known: "
                    + "completed, error, event, metadata, observer, task, total"
            ),
            (
                #"{"event":"resume","task":"up","completed":9007199254740993}"#,
                "'completed' is 9007199254740993, not within 0...9007199254740992"
            ),
            (
                #"{"event":"failure","task":"up","completed":0,"error":{"code":"other"}}"#,
                "'error.name' is missing"
            ),
            (
                #"{"completion":"up","error":{"code":"other","name":"x","message":"y","status":7}}"#,
                "'error.status' is 7, not within 100...999"
            ),
            (
                #"{"completion":"up","metadata":{"size":[1]}}"#,
                "'metadata.size' is a list, not a text"
            ),
            (
                #"{"completion":"up","metadata":{"metadata":{"a":{}}}}"#,
                "'metadata.metadata.a' is an object, not a text"
            ),
            (#"{"ask":"weather","id":1}"#, "'ask' is 'weather', not 'token'"),
            (
                #"{"answer":1,"several":[{},{"url":7}]}"#,
                "'several[1].url' is a number, not a text"
            ),
            (
                #"{"answer":1,"fetched":{"status":200,"headers":[["a"]],"body":"/x"}}"#,
                "'fetched.headers[0]' is not [name, value]"
            ),
            (
                #"{"answer":1,"hello":{"name":"n","version":"1","protocol":1,"capabilities":["fly"]}}"#,
                "'hello.capabilities' has 'fly', which is no capability"
            ),
        ])
    func refusesReports(line: String, sentence: String) {
        #expect(Self.refusal(ofReport: line) == sentence)
    }

    @Test(
        "A wrong command is refused with its member",
        arguments: [
            (#"{"do":"fly","id":1}"#, "'do' is unknown: 'fly'"),
            (#"{"id":1}"#, "has none of: do, answer"),
            (#"{"do":"sync"}"#, "'id' is missing"),
            (
                #"{"do":"pause","id":1,"task":"up","through":"x"}"#,
                "'through' is 'x', not 'snapshot'"
            ),
            (
                #"{"do":"upload","id":1,"task":"up","object":"a"}"#,
                "needs one of: data, file, stream"
            ),
            (
                #"{"do":"burst","id":1,"commands":[{"do":"pause"}]}"#,
                "'commands[0].task' is missing"
            ),
            (
                #"{"do":"burst","id":1,"commands":[{"do":"pause","task":"a","id":4}]}"#,
                "'commands[0].id' is unknown here; known: do, instance, on, task, through"
            ),
            (
                #"{"do":"pause","id":1,"task":"up","on":{"task":"up","event":"x"}}"#,
                "'on.event' is 'x', not one of: resume, progress, pause, success, failure"
            ),
            (#"{"answer":1}"#, "needs one of: token, error"),
        ])
    func refusesCommands(line: String, sentence: String) {
        #expect(Self.refusal(ofCommand: line) == sentence)
    }

    @Test("A resource as a server sends it is read as texts, without what is null")
    func readsResources() throws {
        let line = #"""
            {"completion":"up","metadata":{"size":"5","generation":12,"isCool":true,"etag":null,"metadata":{"ü":"ß"}}}
            """#
        guard case .completion(let completion, _) = try JSONLinesCodec.report(Array(line.utf8))
        else {
            Issue.record("another message")
            return
        }
        #expect(
            completion.metadata == [
                "size": "5", "generation": "12", "isCool": "true", "metadata.ü": "ß",
            ])
    }

    @Test("A message is one line, whatever its texts hold")
    func staysOneLine() throws {
        let text = "a\nb\r\"\\\u{0}\u{2028}/ü🌊"
        let error = ClientError(code: .other, name: text, message: text, body: text)
        let report = ReportMessage.reply(id: 1, .error(error))
        let line = JSONLinesCodec.line(report)
        #expect(!line.utf8.contains(0x0A) && !line.utf8.contains(0x0D))
        #expect(try JSONLinesCodec.report(Array(line.utf8)) == report)
    }

    @Test("A limit above zero stays above zero in milliseconds")
    func roundsUp() throws {
        var settings = ClientSettings()
        settings.maxUploadRetryTime = .microseconds(10)
        settings.maxDownloadRetryTime = .zero
        let configuration = ClientConfiguration(
            run: 1, port: 1, bucket: "b", settings: settings, workingDirectory: "/")
        let line = JSONLinesCodec.line(.configure(id: 1, configuration))
        #expect(line.contains(#""maxUploadRetryMs":1,"#))
        #expect(line.contains(#""maxDownloadRetryMs":0,"#))
    }

    @Test("Settings are scaled in every duration and in nothing else")
    func scales() {
        var settings = ClientSettings()
        settings.chunkSize = 7
        settings.tokens = [.init(after: .seconds(2), answer: .give("alice"))]
        let scaled = settings.scaled(by: 0.1)
        #expect(scaled.maxUploadRetryTime == .seconds(60))
        #expect(scaled.maxOperationRetryTime == .seconds(12))
        #expect(scaled.idleTimeout == .seconds(6))
        #expect(scaled.tokens[0].after == .milliseconds(200))
        #expect(scaled.chunkSize == 7)
    }
}
