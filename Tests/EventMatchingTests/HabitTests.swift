import FaultEngine
import StorageModel
import Testing

@testable import EventMatching

@Suite("Tests that know a client's habits")
struct HabitTests {
    private func problems(_ events: String..., test: (inout ProgressTest) -> Void) -> [String] {
        var wanted = ProgressTest()
        wanted.count = NumberTest("2", unit: .count)
        wanted.first = NumberTest("> 0", unit: .size)
        test(&wanted)
        return wanted.problems(with: Samples.events(events))
    }

    @Test("The zero of a start is left out of progress where the test says so, others are not")
    func zero() {
        let events = ["progress:0", "progress:0", "progress:5", "progress:0", "success:5"]
        func count(_ leavesOut: Bool) -> [String] {
            var test = ProgressTest()
            test.count = NumberTest("2", unit: .count)
            test.leavesOutStart = leavesOut
            return test.problems(with: Samples.events(events))
        }
        #expect(count(true) == [])
        #expect(count(false) == ["4 progress events came, 2 expected"])
    }

    @Test("The progress told once more before the end is left out before the right ends")
    func closing() {
        #expect(
            problems("progress:5", "progress:9", "progress:9", "success:9") {
                $0.closing = .success
            }
                == [])
        #expect(
            problems("progress:5", "progress:9", "progress:9", "failure:unknown") {
                $0.closing = .success
            } == ["3 progress events came, 2 expected"])
        #expect(
            problems("progress:5", "progress:9", "progress:9", "failure:unknown") {
                $0.closing = .successAndFailure
            } == [])
        #expect(
            problems("progress:5", "progress:9", "failure:cancelled") {
                $0.closing = .successAndFailure
            } == [])
        #expect(
            problems("progress:5", "progress:9", "success:9") { $0.closing = .success }
                == ["1 progress events came, 2 expected"])
    }

    @Test("The time of an event may be that of one with certain bytes")
    func timed() throws {
        let second = try #require(NumberTest("1s", unit: .duration))
        var test = TimeTest(.event(.progress), is: second)
        test.bytes = NumberTest("> 0", unit: .size)
        let task = Samples.task("progress:0", "progress:5", "success:5")
        #expect(test.problem(with: task, lookup: Samples.never) == nil)
        test.bytes = nil
        #expect(test.problem(with: task, lookup: Samples.never) != nil)
    }

    @Test("Sent bytes may be taken back where a body broke or was refused, and only there")
    func sent() {
        let task = Samples.task("resume", "progress:500", "progress:100", "success:1000")
        func violations(_ log: String, _ countsSent: Bool) -> [Invariant] {
            InvariantChecks(
                task, exchanges: Samples.log("upload.start", log), countsSentBytes: countsSent
            ).violations().map(\.invariant)
        }
        #expect(violations("upload.chunk status=503", true) == [])
        #expect(violations("upload.chunk status=x", true) == [])
        #expect(violations("upload.chunk status=200", true) == [.progressMonotone])
        #expect(violations("upload.chunk status=503", false) == [.progressMonotone])
    }

    @Test(
        "A bound is taken off a number test, and the text says what is left",
        arguments: [
            ("4..8", ">= 4", "<= 8"), ("> 4", "> 4", nil), ("< 8", nil, "< 8"),
            ("5", ">= 5", "<= 5"), ("4..", ">= 4", nil),
        ] as [(String, String?, String?)])
    func bounds(text: String, lower: String?, upper: String?) throws {
        let test = try #require(NumberTest(text, unit: .count))
        #expect(test.withoutUpper?.description == lower)
        #expect(test.withoutLower?.description == upper)
        #expect(test.withoutUpper.map { $0.holds(Int64(1000)) } ?? true)
        #expect(test.withoutLower.map { $0.holds(Int64(-1)) } ?? true)
        #expect(test.withoutLower.map { !$0.holds(Int64(1000)) } ?? true)
    }

    @Test("An upper bound is raised by so much and no more")
    func raised() throws {
        let test = try #require(NumberTest("10s..12s", unit: .duration))
            .raisingUpper(by: 5_000_000_000)
        #expect(test.description == "10s..17s")
        #expect(test.holds(.seconds(17)))
        #expect(!test.holds(.seconds(18)))
        #expect(!test.holds(.seconds(9)))
        #expect(NumberTest("> 3", unit: .count)?.raisingUpper(by: 9).description == "> 3")
    }
}
