import Foundation
import StorageModel
import Testing

@testable import ClientDriver

@Suite("The page of the driver protocol")
struct ProtocolPageTests {
    private static let page: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appendingPathComponent("Conformance/PROTOCOL.md").path
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }()

    private static func lines(_ mark: String, of text: String = page) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("\(mark) {") }
            .map { String($0.dropFirst(2)) }
    }

    private static func value(_ line: String) throws -> MessageValue {
        try #require(MessageValue(parsing: Array(line.utf8)))
    }

    @Test("Every line that Squall sends is read, and written again with the same members")
    func commandsAreReplayed() throws {
        let lines = Self.lines(">")
        #expect(lines.count > 30)
        for line in lines {
            let message = try JSONLinesCodec.command(Array(line.utf8))
            #expect(try Self.value(JSONLinesCodec.line(message)) == Self.value(line))
        }
    }

    @Test("Every line that a client sends is read, and written again with the same members")
    func reportsAreReplayed() throws {
        let lines = Self.lines("<")
        #expect(lines.count > 20)
        for line in lines {
            let message = try JSONLinesCodec.report(Array(line.utf8))
            #expect(try Self.value(JSONLinesCodec.line(message)) == Self.value(line))
        }
    }

    @Test("Every verb, every kind of answer, every code and every transport fault is on the page")
    func pageIsComplete() {
        let verbs = Set(Self.lines(">").compactMap { try? Self.member("do", $0) })
        let known = Set(JSONLinesCodec.verbs + ["hello", "configure", "sync", "end"])
        // What Squall does by itself: it kills the child.
        #expect(verbs == known.subtracting(["restart"]))
        let answers = Self.lines("<").filter { $0.hasPrefix(#"{"answer""#) }
        for member in JSONLinesCodec.replyMembers {
            #expect(answers.contains { $0.contains("\"\(member)\":") }, "\(member)")
        }
        for name in ErrorCode.allCases.map(\.rawValue) + TransportFault.allCases.map(\.rawValue) {
            #expect(Self.page.contains("`\(name)`"), "\(name)")
        }
        for member in JSONLinesCodec.configurationMembers {
            #expect(Self.page.contains("`\(member)`"), "\(member)")
        }
    }

    private static func member(_ name: String, _ line: String) throws -> String? {
        guard case .object(let members) = try value(line), case .string(let text) = members[name]
        else { return nil }
        return text
    }

    @Test("The conversation of the first example is the one that Squall leads")
    func firstExampleIsLed() throws {
        let start = try #require(Self.page.range(of: "## One scenario"))
        let end = try #require(Self.page.range(of: "## Order and time"))
        let example = Self.page[start.upperBound..<end.lowerBound]
        var conversation = Conversation(messageLimit: 100)
        var reports = 0
        for line in example.split(separator: "\n") {
            let text = Array(line.dropFirst(2).utf8)
            if line.hasPrefix("> ") {
                let sent = try Self.send(try JSONLinesCodec.command(text), in: &conversation)
                #expect(try Self.value(sent) == Self.value(String(line.dropFirst(2))))
            } else if line.hasPrefix("< ") {
                reports += 1
                switch conversation.received(text) {
                case .misbehaviour(let misbehaviour): Issue.record("\(misbehaviour)")
                case .nothing: Issue.record("ignored: \(line)")
                case .hello, .reply, .event, .completion, .question: break
                }
            }
        }
        #expect(reports == 11)
    }

    /// What the conversation itself sends for a command.
    private static func send(
        _ message: CommandMessage, in conversation: inout Conversation
    ) throws -> String {
        let sent: CommandMessage? =
            switch message {
            case .hello: conversation.hello().1
            case .configure(_, let configuration): conversation.configure(configuration).1
            case .perform(_, let command): conversation.perform(command).1
            case .sync: conversation.sync().1
            case .end: conversation.end().1
            case .token(let id, let answer): conversation.token(id, answer)
            }
        return JSONLinesCodec.line(try #require(sent))
    }
}
