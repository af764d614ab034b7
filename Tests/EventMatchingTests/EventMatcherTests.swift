import StorageModel
import Testing

@testable import EventMatching

@Suite("Event matcher")
struct EventMatcherTests {
    static func pattern(_ texts: [String]) throws -> [EventPattern] {
        try texts.map { try EventPattern(parsing: $0) }
    }

    static func difference(
        _ texts: [String], _ events: [String], end: Duration = .seconds(100)
    ) throws -> Difference? {
        EventMatcher(try pattern(texts)).difference(from: Samples.events(events), end: end)
    }

    @Test(
        "Takes what the pattern describes whole",
        arguments: [
            (["resume", "progress+", "success"], ["resume", "progress:1", "success"]),
            (
                ["resume", "progress+", "success"],
                ["resume", "progress:1", "progress:2", "success"]
            ),
            (["resume", "progress*", "success"], ["resume", "success"]),
            (["resume", "pause?", "failure"], ["resume", "failure"]),
            (
                ["resume", "progress x2..3", "success"],
                ["resume", "progress:1", "progress:2", "success"]
            ),
            (
                ["progress*", "progress@1000", "success"],
                ["progress:5", "progress:1000", "success"]
            ),
            (["progress+", "progress+"], ["progress:1", "progress:2"]),
            (["failure(unknown|cancelled)"], ["failure:cancelled"]),
            ([], []),
        ] as [([String], [String])])
    func matches(texts: [String], events: [String]) throws {
        #expect(try Self.difference(texts, events) == nil)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let pattern: [String]
        let events: [String]
        let sentence: String
        /// One letter a row: s same, d differs, m missing, u unexpected.
        let marks: String
        var testDescription: String { sentence }

        init(_ pattern: String, _ events: String, _ marks: String, _ sentence: String) {
            self.pattern = pattern.split(separator: " ").map(String.init)
            self.events = events.split(separator: " ").map(String.init)
            self.marks = marks
            self.sentence = sentence
        }
    }

    @Test(
        "Names the mistake and lays both sides out",
        arguments: [
            Mistake(
                "resume progress+ success", "resume progress:1 success success", "sssu",
                "the terminal event came twice: success at 2s and success at 3s"),
            Mistake(
                "resume progress+ success", "resume progress:1 success failure:unknown", "sssu",
                "two terminal events came: success at 2s and failure(unknown) at 3s"),
            Mistake(
                "resume progress+ success", "resume progress:1 success progress:7", "sssu",
                "progress came at 3s (7 bytes) after the end: success had come at 2s"),
            Mistake(
                "resume progress+ pause resume success",
                "resume progress:1 pause progress:300 resume success", "sssuss",
                "progress went on to 300 bytes after pause at 2s, without a resume between them"),
            Mistake(
                "resume progress+ pause resume success", "resume progress:1 resume success",
                "ssmss", "resume came at 2s without a pause before it"),
            Mistake(
                "resume progress+ pause resume success",
                "resume progress:1 pause pause resume success", "sssuss",
                "pause came twice, at 2s and at 3s, without a resume between them"),
            Mistake(
                "resume pause resume success", "resume pause success", "ssms",
                "success came at 2s while paused, without a resume before it"),
            Mistake(
                "resume progress+ success", "resume progress:1 failure:unknown", "ssmu",
                "ended with failure(unknown) at 2s instead of success"),
            Mistake(
                "resume progress+ success", "resume failure:unauthorized", "smmu",
                "ended with failure(unauthorized) at 1s instead of success"),
            Mistake(
                "resume failure(cancelled)", "resume failure:unknown", "sd",
                "failed with unknown at 1s instead of cancelled"),
            Mistake(
                "resume failure(cancelled|unknown)", "resume failure:quotaExceeded", "sd",
                "failed with quotaExceeded at 1s instead of cancelled or unknown"),
            Mistake(
                "resume progress@500 success", "resume progress:400 success", "sds",
                "progress came at 1s with 400 bytes, progress@500 was expected"),
            Mistake(
                "resume progress+ success", "resume progress:1", "ssm",
                "it never ended: progress or success was expected after progress at 1s (1 byte), "
                    + "and nothing more came"),
            Mistake(
                "resume progress+ success", "", "mmm",
                "no event came at all: resume was expected"),
            Mistake(
                "resume success", "success", "ms",
                "resume never came: success came at 0s where resume was expected"),
            Mistake("", "resume", "u", "resume came at 0s where the end was expected"),
            Mistake(
                "resume progress@1 progress@2 success",
                "resume progress:1 progress:1 progress:2 success",
                "ssuss",
                "progress came at 2s (1 byte) where progress@2 was expected; progress 1 byte came twice, at 1s and at 2s"
            ),
        ])
    func namesMistakes(mistake: Mistake) throws {
        let found = try Self.difference(mistake.pattern, mistake.events)
        let difference = try #require(found)
        #expect(difference.sentence == mistake.sentence)
        #expect(difference.rows.map { $0.mark.rawValue.prefix(1) }.joined() == mistake.marks)
    }

    @Test("Takes any of the alternatives, each a sequence, and names all that were possible")
    func takesAlternatives() throws {
        let tail = EventPattern.any([
            try Self.pattern(["progress+", "success"]), try Self.pattern(["failure(cancelled)"]),
        ])
        let matcher = EventMatcher(try Self.pattern(["resume"]) + [tail])
        let end = Duration.seconds(9)
        #expect(
            matcher.difference(from: Samples.events("resume", "failure:cancelled"), end: end) == nil
        )
        #expect(
            matcher.difference(from: Samples.events("resume", "progress:1", "success"), end: end)
                == nil)
        let wrong = matcher.difference(from: Samples.events("resume", "pause"), end: end)
        #expect(wrong?.sentence.contains("progress or failure(cancelled) was expected") == true)
    }

    @Test("Twelve cycles with nested progress match in no time, and eleven do not match")
    func matchesCycles() throws {
        let pattern: [EventPattern] =
            try Self.pattern(["resume", "progress+"])
            + [
                .sequence(
                    try Self.pattern(["pause", "resume", "progress*"]),
                    Repetition(lower: 12, upper: 12))
            ]
            + Self.pattern(["progress+", "success"])
        func events(_ cycles: Int) -> [String] {
            ["resume", "progress:1"]
                + (0..<cycles).flatMap { _ in
                    ["pause", "resume"] + [String](repeating: "progress:2", count: 200)
                } + ["progress:3", "success"]
        }
        let matcher = EventMatcher(pattern)
        let end = Duration.seconds(10_000)
        #expect(matcher.difference(from: Samples.events(events(12)), end: end) == nil)
        let few = matcher.difference(from: Samples.events(events(11)), end: end)
        #expect(few?.rows.filter { $0.mark != .same }.map(\.expected) == ["pause", "resume"])
        #expect(matcher.difference(from: Samples.events(events(13)), end: end) != nil)
    }

    @Test("Repetitions of repetitions of what may be nothing come to an end")
    func endsOnEmptyLoops() throws {
        let inner = EventPattern.sequence(try Self.pattern(["progress*"]), .any)
        let pattern = [EventPattern.sequence([inner, inner], .any)]
        let events = [String](repeating: "progress:1", count: 300)
        let matcher = EventMatcher(pattern)
        #expect(matcher.difference(from: Samples.events(events), end: .seconds(999)) == nil)
        let wrong = matcher.difference(from: Samples.events(events + ["pause"]), end: .seconds(999))
        #expect(wrong?.rows.last?.mark == .unexpected)
    }

    @Test("A silence must be long enough, between two events and at the end")
    func watchesSilence() throws {
        let pattern: [EventPattern] =
            try Self.pattern(["pause"]) + [.atom(.quiet(.seconds(30)), .once)]
            + Self.pattern(["resume"])
        var events = Samples.events("pause", "resume")
        events[1].time = .seconds(30)
        #expect(EventMatcher(pattern).difference(from: events, end: .seconds(40)) == nil)
        events[1].time = .milliseconds(2100)
        let early = EventMatcher(pattern).difference(from: events, end: .seconds(40))
        #expect(early?.sentence == "resume came 2.1s after pause: 30s of silence were expected")
        #expect(early?.firstParting == 1)
        let scaled = EventMatcher(pattern, scale: TimeScale(factor: 0.1, grace: .seconds(1)))
        #expect(scaled.difference(from: events, end: .seconds(40)) == nil)
        let open = Array(pattern.dropLast())
        let alone = Samples.events("pause")
        #expect(EventMatcher(open).difference(from: alone, end: .seconds(30)) == nil)
        #expect(EventMatcher(open).difference(from: alone, end: .seconds(29)) != nil)
    }

    @Test("Long runs are folded, but an event with a cause stays visible")
    func foldsRuns() throws {
        let events = ["resume"] + (1...50).map { "progress:\($0)" } + ["failure:unknown"]
        var bad = Samples.log("upload.chunk status=503 start=20000 end=20500")
        bad[0].faults = [FiredFault(rule: 1, name: "busy", time: .seconds(20))]
        let difference = EventMatcher(try Self.pattern(["resume", "progress+", "success"]))
            .difference(from: Samples.events(events), end: .seconds(99), exchanges: bad)
        let rows = try #require(difference).rows
        #expect(rows.count == 8)
        #expect(
            rows.compactMap(\.cause) == ["upload.chunk (request 1): 503 by fault 'busy'"])
        #expect(rows[2].seen == "progress x19, 2 bytes to 20 bytes")
    }

    @Test("A hundred thousand events are compared, and the difference is found near their end")
    func comparesManyEvents() throws {
        let events = ["resume"] + [String](repeating: "progress:1", count: 100_000) + ["success"]
        var seen = Samples.events(events)
        let matcher = EventMatcher(try Self.pattern(["resume", "progress+", "success"]))
        #expect(matcher.difference(from: seen, end: .seconds(200_000)) == nil)
        seen.append(TransferEvent(kind: .success, time: .seconds(100_100)))
        let difference = matcher.difference(from: seen, end: .seconds(200_000))
        #expect(difference?.sentence.hasPrefix("the terminal event came twice") == true)
    }
}
