import Foundation
import StorageModel
import Testing

@testable import ClientDriver

@Suite("The page of the driver protocol")
struct ProtocolPageTests {
    private static let page = ProtocolPage.text

    private static func lines(_ mark: String) -> [String] { ProtocolPage.lines(mark) }

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

    @Test("Every member that a message can have stands in an example, and no other")
    func everyMemberIsShown() {
        let (shown, known) = (ProtocolPage.membersShown(), ProtocolPage.membersKnown())
        #expect(known.count > 130)
        #expect(known.subtracting(shown).sorted() == [])
        let common = ClientCommand.VerbName.allCases.flatMap { verb in
            ["on", "instance", "id"].map { "\(verb.rawValue).\($0)" }
        }
        #expect(shown.subtracting(known).subtracting(common).sorted() == [])
    }

    @Test("Every event, every code, every transport fault and every capability is on the page")
    func everyNameIsThere() {
        let names =
            ErrorCode.allCases.map(\.rawValue) + TransportFault.allCases.map(\.rawValue)
            + TransferEvent.Kind.allCases.map(\.rawValue) + Capability.allCases.map(\.rawValue)
            + MessageShape.configure.members.map(\.name)
        for name in names { #expect(Self.page.contains("`\(name)`"), "\(name)") }
    }

    @Test("Every event and both kinds of a task's end are among the examples")
    func everyReportIsShown() {
        let reports = Self.lines("<")
        for kind in TransferEvent.Kind.allCases {
            #expect(reports.contains { $0.hasPrefix(#"{"event":"\#(kind.rawValue)""#) }, "\(kind)")
        }
        #expect(reports.contains { $0.contains("completion") && $0.contains(#""error""#) })
        #expect(reports.contains { $0.contains("completion") && $0.contains(#""content""#) })
    }

    @Test("The conversation of the first example is the one that Squall leads")
    func firstExampleIsLed() throws {
        let start = try #require(Self.page.range(of: "## One scenario"))
        let end = try #require(Self.page.range(of: "## Versions"))
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
