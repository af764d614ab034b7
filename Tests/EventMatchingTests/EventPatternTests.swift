import StorageModel
import Testing

@testable import EventMatching

@Suite("Event pattern")
struct EventPatternTests {
    @Test(
        "Reads every text form and writes it again the same",
        arguments: [
            "resume", "progress", "pause", "success", "failure", "progress+", "progress*", "pause?",
            "progress x3", "progress x2..5", "progress x2..", "progress@262144", "progress@>=50%",
            "progress@256KiB+", "failure(cancelled)", "failure(unknown|retryLimitExceeded)",
            "failure(cancelled)?", "progress@1MiB..2MiB x2",
        ])
    func readsTextForms(text: String) throws {
        #expect(try EventPattern(parsing: text).description == text)
    }

    @Test(
        "Gives each quantifier its bounds",
        arguments: [
            ("progress", 1, 1), ("progress?", 0, 1), ("progress*", 0, nil), ("progress+", 1, nil),
            ("progress x3", 3, 3), ("progress x2..5", 2, 5), ("progress x2..", 2, nil),
            ("progress x..5", 0, 5), ("progress x0..2", 0, 2), ("progress  x3 ", 3, 3),
        ] as [(String, Int, Int?)])
    func readsQuantifiers(text: String, lower: Int, upper: Int?) throws {
        let wanted = EventPattern.atom(
            .event(EventCondition(.progress)), Repetition(lower: lower, upper: upper))
        #expect(try EventPattern(parsing: text) == wanted)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let text: String
        let code: PatternError.Code
        let offset: Int
        let suggestion: String?
        var testDescription: String { text }

        init(_ text: String, _ code: PatternError.Code, _ offset: Int, _ suggestion: String? = nil)
        {
            self.text = text
            self.code = code
            self.offset = offset
            self.suggestion = suggestion
        }
    }

    @Test(
        "Refuses what is no pattern, says where and what was meant",
        arguments: [
            Refusal("", .empty, 0), Refusal("+", .empty, 0),
            Refusal("progres+", .unknownName, 0, "progress"),
            Refusal("sucess", .unknownName, 0, "success"),
            Refusal("done", .unknownName, 0), Refusal("5", .unknownName, 0),
            Refusal("progress++", .badQuantifier, 8), Refusal("progress?*", .badQuantifier, 8),
            Refusal("progress x", .badQuantifier, 9), Refusal("progress xa", .badQuantifier, 9),
            Refusal("progress x5..2", .badQuantifier, 9),
            Refusal("progress@", .badNumber, 9), Refusal("progress@half", .badNumber, 9),
            Refusal("progress@120%", .badNumber, 9),
            Refusal("success(cancelled)", .misplaced, 7),
            Refusal("failure(canceled)", .badCode, 8, "cancelled"),
            Refusal("failure(unknown|canceled)", .badCode, 16, "cancelled"),
            Refusal("failure()", .badCode, 8), Refusal("failure(unknown", .badCode, 7),
            Refusal("failure(unknown)!", .unexpectedText, 16),
            Refusal("progress 3", .unexpectedText, 8),
            Refusal("progress x99999", .tooLarge, 8),
        ])
    func refuses(refusal: Refusal) {
        let error = #expect(throws: PatternError.self) { try EventPattern(parsing: refusal.text) }
        #expect(error?.code == refusal.code)
        #expect(error?.offset == refusal.offset)
        #expect(error?.suggestion == refusal.suggestion)
    }

    @Test(
        "A repetition reads number tests on whole numbers and refuses others",
        arguments: [
            ("12", Repetition(lower: 12, upper: 12)), ("2..5", Repetition(lower: 2, upper: 5)),
            ("1..", .some), ("..5", Repetition(lower: 0, upper: 5)),
            (">= 2", Repetition(lower: 2, upper: nil)),
            ("> 2", Repetition(lower: 3, upper: nil)), ("< 3", Repetition(lower: 0, upper: 2)),
            ("<=3", Repetition(lower: 0, upper: 3)), ("", nil), ("..", nil), ("-1", nil),
            ("1.5", nil),
            ("< 0", nil), ("many", nil), ("5..2", nil),
        ] as [(String, Repetition?)])
    func readsRepetitions(text: String, wanted: Repetition?) {
        #expect(Repetition(times: text) == wanted)
    }

    @Test("A percentage counts in the event's own total, and fails where there is none")
    func countsPercentages() throws {
        let condition = EventCondition(.progress, bytes: NumberTest(">= 50%", unit: .size))
        #expect(condition.holds(TransferEvent(kind: .progress, completed: 5, total: 10)))
        #expect(!condition.holds(TransferEvent(kind: .progress, completed: 4, total: 10)))
        #expect(!condition.holds(TransferEvent(kind: .progress, completed: 5, total: nil)))
    }
}
