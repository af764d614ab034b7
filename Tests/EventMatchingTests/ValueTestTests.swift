import FaultEngine
import StorageModel
import Testing

@testable import EventMatching

@Suite("Tests on errors, progress and times")
struct ValueTestTests {
    static let refused = ClientError(
        code: .unauthorized, message: "may not", status: 403, transport: nil, body: "{denied}")

    @Test("An error that is as expected has no problems")
    func takesErrors() {
        var test = ErrorTest(.one(.unauthorized))
        test.status = StatusTest("403")
        test.body = .contains("denied")
        test.message = .equals("may not")
        #expect(test.problems(with: Self.refused).isEmpty)
        #expect(
            ErrorTest(.allowed([.unknown, .unauthorized])).problems(with: Self.refused).isEmpty)
        #expect(ErrorTest(.any).problems(with: Self.refused).isEmpty)
        #expect(ErrorTest(.none).problems(with: nil).isEmpty)
    }

    @Test("Each part of an error that is wrong is told")
    func refusesErrors() {
        var test = ErrorTest(.allowed([.unknown, .cancelled]))
        test.status = StatusTest("none")
        test.transport = .reset
        test.body = .absent
        test.message = .contains("reset")
        #expect(
            test.problems(with: Self.refused) == [
                "failed with unauthorized instead of unknown or cancelled",
                "the status underneath was 403, expected was none",
                "the transport fault underneath was none, expected was reset",
                "the answer underneath was '{denied}', not absent",
                "the message was 'may not', not one that contains 'reset'",
            ])
        #expect(
            ErrorTest(.none).problems(with: Self.refused) == [
                "failed with unauthorized, no error was expected"
            ])
        #expect(
            ErrorTest(.one(.cancelled)).problems(with: nil) == [
                "there was no error, cancelled was expected"
            ])
        let own = ClientError(code: .other, name: "E_ODD\u{1B}")
        #expect(
            ErrorTest(.one(.cancelled)).problems(with: own) == [
                "failed with other ('E_ODD\\x1B') instead of cancelled"
            ])
    }

    static func progress(_ change: (inout ProgressTest) throws -> Void) rethrows -> ProgressTest {
        var test = ProgressTest()
        try change(&test)
        return test
    }

    @Test("Progress that is as expected has no problems, and a fall is counted")
    func testsProgress() throws {
        let events = Samples.events(
            "resume", "progress:100", "progress:50", "progress:1000", "success")
        let right = try Self.progress {
            $0.total = .bytes(try ExchangesTestTests.number("1000", .size))
            $0.first = try ExchangesTestTests.number("> 0", .size)
            $0.last = try ExchangesTestTests.number("100%", .size)
            $0.count = try ExchangesTestTests.number("3")
            $0.falls = try ExchangesTestTests.number("1")
            $0.fraction = try ExchangesTestTests.number("1", .plain)
        }
        #expect(right.problems(with: events).isEmpty)
        let wrong = try Self.progress {
            $0.total = .unknown
            $0.first = try ExchangesTestTests.number(">= 200", .size)
            $0.last = try ExchangesTestTests.number("999", .size)
            $0.count = try ExchangesTestTests.number("4..")
            $0.falls = try ExchangesTestTests.number("0")
            $0.fraction = try ExchangesTestTests.number("0.5", .plain)
        }
        #expect(
            wrong.problems(with: events) == [
                "3 progress events came, 4.. expected", "progress fell once, 0 expected",
                "the total was told as 1000 bytes, unknown expected",
                "the first progress was 100 bytes, >= 200 expected",
                "the last progress was 1000 bytes, 999 expected",
                "the last fraction was 1.0, 0.5 expected",
            ])
    }

    @Test("Without a progress event tests on its values fail, and one on the count may hold")
    func testsNoProgress() throws {
        let events = Samples.events("resume", "success")
        let count = try Self.progress { $0.count = try ExchangesTestTests.number("0") }
        #expect(count.problems(with: events).isEmpty)
        let last = try Self.progress { $0.last = try ExchangesTestTests.number("5", .size) }
        #expect(last.problems(with: events) == ["no progress event came"])
    }

    @Test("An unknown total holds where no event has one")
    func testsUnknownTotal() throws {
        var events = Samples.events("progress:5")
        events[0].total = nil
        let unknown = Self.progress { $0.total = .unknown }
        #expect(unknown.problems(with: events).isEmpty)
        let known = try Self.progress {
            $0.total = .bytes(try ExchangesTestTests.number("5", .size))
        }
        #expect(known.problems(with: events) == ["the total was unknown at 0s, 5 expected"])
    }

    @Test("Times count from the task's start or from a moment, with the scale of wall time")
    func testsTimes() throws {
        var task = Samples.task("resume", "pause", "resume", "pause", "failure:unknown")
        task.start = .milliseconds(500)
        let lookup = MomentLookup { trigger in
            trigger == .step(name: "stop") ? ExchangeMoment(ordinal: 0, time: .seconds(3)) : nil
        }
        func problem(_ test: TimeTest, _ scale: TimeScale = .exact) -> String? {
            test.problem(with: task, scale: scale, lookup: lookup)
        }
        let upTo4 = try ExchangesTestTests.number("3s..4s", .duration)
        #expect(problem(TimeTest(.end, is: upTo4)) == nil)
        #expect(
            problem(TimeTest(.event(.pause), ordinal: 2, is: upTo4))
                == "pause#2 came after 2.5s, 3s..4s expected")
        #expect(problem(TimeTest(.event(.success), is: upTo4)) == "success never came")
        let soon = try ExchangesTestTests.number("<= 500ms", .duration)
        #expect(
            problem(TimeTest(.end, since: .step(name: "stop"), is: soon))
                == "end came after 1s, <= 500ms expected")
        #expect(
            problem(TimeTest(.end, since: .step(name: "no"), is: soon))
                == "the moment from which end is timed never came")
        let scale = TimeScale(factor: 0.1, grace: .milliseconds(50))
        let thirty = try ExchangesTestTests.number("35s..36s", .duration)
        #expect(problem(TimeTest(.end, is: thirty), scale) == nil)
    }
}
