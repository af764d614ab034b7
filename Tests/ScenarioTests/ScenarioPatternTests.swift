import Scenario
import Testing

@Suite("Patterns over scenario ids")
struct ScenarioPatternTests {
    @Test(
        "A pattern fits what its stars leave open and nothing else",
        arguments: [
            ("partial/cut", "partial/cut", true), ("partial/cut", "partial/cut[how=reset]", false),
            ("partial/cut", "partial/cuts", false), ("partial/cut", "x/partial/cut", false),
            ("partial/*", "partial/cut", true), ("partial/*", "partial/cut[how=reset]", true),
            ("partial/*", "partial/deep/cut", false), ("partial/*", "partial/", true),
            ("partial/**", "partial/deep/cut", true), ("partial/**", "partials/cut", false),
            ("partial/**/cut", "partial/a/b/cut", true), ("partial/**/cut", "partial/cut", false),
            ("p*", "partial", true), ("p*", "partial/cut", false), ("p***", "partial/cut", true),
            ("partial/c*t", "partial/cut", true), ("partial/c*t", "partial/cup", false),
        ])
    func fits(pattern: String, id: String, wanted: Bool) {
        #expect(ScenarioPattern(pattern).matches(id) == wanted)
    }

    @Test(
        "Brackets and question marks are letters, and a slash in a row ends no segment",
        arguments: [
            ("a/b[how=reset]", "a/b[how=reset]", true), ("a/b[how=reset]", "a/bh", false),
            ("a/b[n=50% off?.txt]", "a/b[n=50% off?.txt]", true),
            ("a/b[n=50% off?.txt]", "a/b[n=50% off!.txt]", false),
            ("a/b[*]", "a/b[path=x/y]", true), ("a/b[*]", "a/b", false),
            ("a/b*", "a/b[path=x/y]", true), ("a/*", "a/b[path=x/y,how=z]", true),
            ("a/b[*,how=z]", "a/b[path=x/y,how=z]", true),
            ("a/b[*,how=z]", "a/b[path=x/y,how=w]", false),
            ("*/b[path=x/y]", "a/c/b[path=x/y]", false), ("a/b[t=*]", "a/b[t=\r\n]", true),
        ])
    func rows(pattern: String, id: String, wanted: Bool) {
        #expect(ScenarioPattern(pattern).matches(id) == wanted)
    }

    @Test("An id with a star in it means itself alone, where it is there")
    func exactFirst() {
        let ids = ["a/b[x=1*2]", "a/b[x=1z2]", "a/c"]
        #expect(ScenarioPattern("a/b[x=1*2]").positions(in: ids) == [0])
        #expect(ScenarioPattern("a/b[x=1*2]").positions(in: Array(ids.dropFirst())) == [0])
        #expect(ScenarioPattern("a/*").positions(in: ids) == [0, 1, 2])
        #expect(ScenarioPattern("a/d").positions(in: ids) == [])
    }

    @Test("Two ids that look the same and are written otherwise are two")
    func bytes() {
        #expect(!ScenarioPattern("a/caf\u{E9}").matches("a/cafe\u{301}"))
        #expect(!ScenarioPattern("a/caf\u{E9}*").matches("a/cafe\u{301}"))
    }
}

@Suite("Days of the calendar")
struct CalendarDayTests {
    @Test(
        "A day is read in one form, and only if a calendar has it",
        arguments: [
            ("2027-01-31", true), ("2024-02-29", true), ("2000-02-29", true),
            ("2023-02-29", false), ("2100-02-29", false), ("2027-04-31", false),
            ("2027-13-01", false), ("2027-00-10", false), ("2027-10-00", false),
            ("0000-01-01", false), ("27-01-31", false), ("2027-1-31", false),
            ("2027/01/31", false), ("2027-01-31T00:00", false), ("2027-01-3a", false),
            ("+027-01-31", false), ("31-01-2027", false), ("", false),
        ])
    func reading(text: String, isDay: Bool) {
        #expect(CalendarDay(text)?.description == (isDay ? text : nil))
    }

    @Test(
        "Seconds since 1970 give the day in UTC",
        arguments: [
            (0, "1970-01-01"), (86_399, "1970-01-01"), (86_400, "1970-01-02"),
            (951_782_399, "2000-02-28"), (951_782_400, "2000-02-29"),
            (1_735_689_599, "2024-12-31"), (1_735_689_600, "2025-01-01"),
        ] as [(Int64, String)])
    func ofSeconds(seconds: Int64, wanted: String) {
        #expect(CalendarDay(secondsSince1970: seconds).description == wanted)
    }

    @Test("Days are in order, and a year later is the same day or 1 March")
    func order() throws {
        let days = try ["2026-12-31", "2027-01-31", "2027-02-01"].map {
            try #require(CalendarDay($0))
        }
        #expect(days == days.sorted())
        #expect(days[0] < days[1] && days[1] < days[2] && !(days[1] < days[1]))
        #expect(days[0].nextYear.description == "2027-12-31")
        #expect(CalendarDay("2024-02-29")?.nextYear.description == "2025-03-01")
        #expect(CalendarDay("2027-02-28")?.nextYear.description == "2028-02-28")
    }
}
