import EventMatching
import RunModel
import Scenario
import ScenarioRunner
import StorageModel
import Testing

@Suite("Lists over results")
struct BoundListsTests {
    private static let suite = [
        "partial/cut[how=close]", "partial/cut[how=reset]", "partial/deep/x", "retry/one",
        "retry/two", "list/pages",
    ]

    private static func entry(
        _ pattern: String, failure: [String] = [], expires: String? = nil, limit: Int? = nil,
        count: Int? = nil, line: Int = 7
    ) -> KnownEntry {
        KnownEntry(
            pattern: ScenarioPattern(pattern), failure: failure, reason: "sends it twice",
            link: "K.md#twice", expires: expires.flatMap { CalendarDay($0) }, limit: limit,
            count: count, place: SourcePlace(file: "c.yaml", line: line, column: 5))
    }

    private static func lists(
        failing: [KnownEntry] = [], flaky: [KnownEntry] = [], flakyLimit: Int = 5,
        suite: SuiteIDs = SuiteIDs(ids: suite), capabilities: Set<Capability>? = [],
        today: String = "2026-12-01"
    ) throws -> BoundLists {
        var lists = KnownLists()
        lists.failing = failing
        lists.flaky = flaky
        lists.flakyLimit = flakyLimit
        var bound = BoundLists(
            lists, suite: suite, suiteIDs: [("cut", "partial/cut[how=reset]")],
            today: try #require(CalendarDay(today)))
        bound.capabilities = capabilities
        return bound
    }

    private static func result(
        _ id: String, _ verdict: Verdict, _ failures: [Failure] = [], tries: [Verdict] = []
    ) -> ScenarioResult {
        var result = ScenarioResult(id: id, verdict: verdict)
        result.failures = failures
        result.earlierTries = tries.map { Try(verdict: $0, seed: 1) }
        return result
    }

    private static let broken = Failure(.events, subject: "up", "expected pause, seen success")

    private static func problems(
        _ lists: BoundLists, _ results: [ScenarioResult] = []
    ) -> [String] {
        lists.problems(results).map { problem in
            "\(problem.kind.rawValue) \(problem.place?.line ?? 0): \(problem.sentence)"
        }
    }

    // MARK: Known to fail

    @Test("A listed scenario that fails is expected to, with reason and link of its entry")
    func expectedFailure() throws {
        let lists = try Self.lists(failing: [Self.entry("partial/*")])
        let judged = lists.judged(Self.result("partial/cut[how=close]", .failed, [Self.broken]))
        #expect(judged.verdict == .expectedFailure)
        #expect(judged.reason == "sends it twice; K.md#twice")
        #expect(judged.failures == [Self.broken])
        #expect(judged.listed?.list == .failing)
        #expect(judged.listed?.pattern == "partial/*")
        #expect(judged.listed?.place.line == 7)
    }

    @Test("A listed scenario that passes is an unexpected pass, which names the line to delete")
    func unexpectedPass() throws {
        let exact = try Self.lists(failing: [Self.entry("retry/one", failure: ["events"])])
        let judged = exact.judged(Self.result("retry/one", .passed))
        #expect(judged.verdict == .unexpectedPass)
        #expect(judged.reason == "delete its entry of known-failing: c.yaml:7:5")
        let wild = try Self.lists(failing: [Self.entry("retry/**")])
        let reason = wild.judged(Self.result("retry/one", .passed)).reason
        #expect(reason?.hasPrefix("known-failing 'retry/**' (c.yaml:7:5) fits it: narrow") == true)
    }

    @Test(
        "What shows nothing of a client stays what it is",
        arguments: [ListedEntry.List.failing, .flaky],
        [
            Verdict.errored, .void, .skipped, .pending, .notRun,
        ])
    func untouched(list: ListedEntry.List, verdict: Verdict) throws {
        let entry = Self.entry("retry/one", expires: "2026-12-31", limit: 3)
        let lists = try Self.lists(
            failing: list == .failing ? [entry] : [], flaky: list == .flaky ? [entry] : [])
        let result = Self.result("retry/one", verdict, [Self.broken], tries: [.failed])
        #expect(lists.judged(result).verdict == verdict)
        #expect(!lists.wantsAnotherTry(result))
    }

    @Test("What no entry fits stays what it is", arguments: Verdict.allCases)
    func unlisted(verdict: Verdict) throws {
        let lists = try Self.lists(failing: [Self.entry("retry/one")])
        let result = Self.result("retry/two", verdict, [Self.broken])
        #expect(lists.judged(result) == result)
    }

    @Test(
        "An entry with 'failure' covers that failure and no other",
        arguments: [
            (["events: up:"], true), (["expected pause"], true), (["events", "stored"], true),
            (["up: expected pause"], true), (["stored"], false), (["events: down"], false),
        ])
    func failureText(texts: [String], isCovered: Bool) throws {
        let lists = try Self.lists(failing: [Self.entry("retry/one", failure: texts)])
        let judged = lists.judged(Self.result("retry/one", .failed, [Self.broken]))
        #expect(judged.verdict == (isCovered ? .expectedFailure : .failed))
        if !isCovered {
            #expect(
                judged.reason
                    == "known (c.yaml:7:5) to fail with '\(texts[0])', and not with "
                    + "'events: up: expected pause, seen success'")
        }
    }

    @Test("A second failure that the entry does not name is not covered by the first")
    func secondFailure() throws {
        let lists = try Self.lists(failing: [Self.entry("retry/one", failure: ["events: up:"])])
        let lost = Failure(.stored, subject: "a.bin", "3 bytes differ")
        let both = Self.result("retry/one", .failed, [Self.broken, lost])
        #expect(lists.judged(both).verdict == .failed)
        let wide = try Self.lists(
            failing: [Self.entry("retry/one", failure: ["events: up:", "stored: a.bin:"])])
        #expect(wide.judged(both).verdict == .expectedFailure)
    }

    @Test("An invariant is named by its name in brackets")
    func invariantText() throws {
        let twice = Failure(
            .invariant, subject: "up", "it ended twice", invariant: .oneTerminal)
        let lists = try Self.lists(failing: [Self.entry("retry/one", failure: [twice.label])])
        #expect(twice.label == "[one-terminal]")
        #expect(
            lists.judged(Self.result("retry/one", .failed, [twice])).verdict == .expectedFailure)
    }

    @Test("A fault that did not fire beside a known failure follows from it")
    func consequences() throws {
        let unfired = Failure(.unfiredFault, subject: "cut", "the fault 'cut' never fired")
        let lists = try Self.lists(failing: [Self.entry("retry/one", failure: ["events"])])
        let result = Self.result("retry/one", .failed, [Self.broken, unfired])
        #expect(lists.judged(result).verdict == .expectedFailure)
    }

    @Test("A client that breaks off is covered only by an entry that says so")
    func crash() throws {
        let crash = Failure(.client, "the client exited with 3 before it answered 'upload up'")
        let result = Self.result("retry/one", .failed, [Self.broken, crash])
        let silent = try Self.lists(failing: [Self.entry("retry/one")])
        #expect(silent.judged(result).verdict == .failed)
        #expect(
            silent.judged(result).reason
                == "known (c.yaml:7:5), but not that the client breaks off or does not end: only an "
                + "entry with 'failure: \"client:\"' covers that")
        let named = try Self.lists(
            failing: [Self.entry("retry/one", failure: ["client:", "events: up:"])])
        #expect(named.judged(result).verdict == .expectedFailure)
        let flaky = try Self.lists(
            flaky: [Self.entry("retry/one", expires: "2026-12-31", limit: 3)])
        #expect(!flaky.wantsAnotherTry(result))
        #expect(flaky.judged(result).verdict == .failed)
    }

    @Test("A transfer that has not ended in time is covered only by an entry that says so")
    func late() throws {
        let late = Failure(.deadline, "after 100ms up has not ended")
        let result = Self.result("retry/one", .failed, [late])
        let silent = try Self.lists(failing: [Self.entry("retry/one")])
        #expect(silent.judged(result).verdict == .failed)
        #expect(silent.judged(result).reason?.contains("'failure: \"deadline:\"'") == true)
        let named = try Self.lists(failing: [Self.entry("retry/one", failure: ["deadline:"])])
        #expect(named.judged(result).verdict == .expectedFailure)
    }

    @Test("Entries mean ids in the suite, however the command line reached them")
    func suiteIDs() throws {
        let lists = try Self.lists(failing: [Self.entry("partial/cut[how=reset]")])
        #expect(lists.judged(Self.result("cut", .failed)).verdict == .expectedFailure)
    }

    // MARK: Known to be flaky

    @Test("A flaky scenario is tried as often as its entry says, and no more")
    func tries() throws {
        let lists = try Self.lists(
            flaky: [Self.entry("retry/one", expires: "2026-12-31", limit: 3)])
        let wants = [[], [Verdict.failed], [.errored, .failed], [.failed, .failed]].map { tries in
            lists.wantsAnotherTry(Self.result("retry/one", .failed, [Self.broken], tries: tries))
        }
        #expect(wants == [true, true, true, false])
        #expect(!lists.wantsAnotherTry(Self.result("retry/one", .passed, tries: [.failed])))
        #expect(!lists.wantsAnotherTry(Self.result("retry/two", .failed, [Self.broken])))
        let other = try Self.lists(
            flaky: [
                Self.entry("retry/one", failure: ["stored"], expires: "2026-12-31", limit: 3)
            ])
        #expect(!other.wantsAnotherTry(Self.result("retry/one", .failed, [Self.broken])))
    }

    @Test("Passed at once is passed, passed after a failure is flaky, never passed is failed")
    func flakyVerdicts() throws {
        let lists = try Self.lists(
            flaky: [Self.entry("retry/one", expires: "2026-12-31", limit: 3)])
        #expect(lists.judged(Self.result("retry/one", .passed)).verdict == .passed)
        #expect(
            lists.judged(Self.result("retry/one", .passed, tries: [.errored])).verdict == .passed)
        let flaky = lists.judged(Self.result("retry/one", .passed, tries: [.failed]))
        #expect(flaky.verdict == .flaky)
        #expect(flaky.reason == "sends it twice; K.md#twice")
        let failed = lists.judged(
            Self.result("retry/one", .failed, [Self.broken], tries: [.failed, .failed]))
        #expect(failed.verdict == .failed)
        #expect(failed.reason == "known-flaky (c.yaml:7:5), and it never passed in 3 tries")
    }

    // MARK: What is wrong with the lists

    @Test("An entry that fits no scenario of the whole suite is told, with what was meant")
    func unmatched() throws {
        let lists = try Self.lists(failing: [
            Self.entry("retry/tow", line: 1), Self.entry("partial/cut", line: 2),
            Self.entry("gone/**", line: 3), Self.entry("retry/one", line: 4),
        ])
        #expect(
            Self.problems(lists) == [
                "list-entry 1: 'retry/tow' fits no scenario of the suite; "
                    + "did you mean 'retry/two'?",
                "list-entry 2: 'partial/cut' fits no scenario of the suite: "
                    + "its rows are 'partial/cut[*]'",
                "list-entry 3: 'gone/**' fits no scenario of the suite",
            ])
    }

    @Test("Where a file of the suite cannot be read nothing is said to fit no scenario")
    func unknownSuite() throws {
        let lists = try Self.lists(
            failing: [Self.entry("gone/**")], suite: SuiteIDs(ids: Self.suite, isWhole: false))
        #expect(Self.problems(lists) == [])
    }

    @Test(
        "A suite that grows cannot add to an entry that counts",
        arguments: [(2, 0), (1, 1), (3, 1)])
    func growth(count: Int, problems: Int) throws {
        let entry = Self.entry("retry/*", count: count)
        let found = try Self.problems(Self.lists(failing: [entry]))
        let sentence =
            "list-entry 7: 'retry/*' fits 2 scenarios that this client runs, and the entry counts "
            + "\(count): look at them again, then write 'count: 2'"
        #expect(found == Array(repeating: sentence, count: problems))
        let part = SuiteIDs(ids: Self.suite, isWhole: false)
        #expect(try Self.problems(Self.lists(failing: [entry], suite: part)) == [])
    }

    @Test("A wildcard of known-failing that counts nothing is told, with the number to write")
    func uncounted() throws {
        let wild = Self.entry("retry/*")
        let sentence =
            "list-entry 7: 'retry/*' has a wildcard and no 'count', so that it would cover what is "
            + "added to the suite: "
        #expect(try Self.problems(Self.lists(failing: [wild])) == [sentence + "write 'count: 2'"])
        #expect(
            try Self.problems(Self.lists(failing: [wild], capabilities: nil)) == [
                sentence + "a run tells the number"
            ])
        #expect(try Self.problems(Self.lists(failing: [Self.entry("retry/one")])) == [])
        let flaky = Self.entry("retry/*", expires: "2026-12-31", limit: 3)
        #expect(try Self.problems(Self.lists(flaky: [flaky])) == [])
        // An id that has a star of its own means itself, and cannot come to mean more.
        let stars = SuiteIDs(ids: ["match/path[glob=a*]", "match/path[glob=ab]"])
        let own = Self.entry("match/path[glob=a*]")
        #expect(try Self.problems(Self.lists(failing: [own], suite: stars)) == [])
    }

    @Test("Only what the client runs counts: not what it cannot do, nor what is always skipped")
    func countsWhatRuns() throws {
        let suite = SuiteIDs(
            ids: Self.suite,
            needs: [
                "retry/one": .capabilities([.pause]), "retry/two": .capabilities([.list]),
                "list/pages": .never,
            ])
        let entry = Self.entry("retry/*", count: 1)
        #expect(
            try Self.problems(Self.lists(failing: [entry], suite: suite, capabilities: [.pause]))
                == [])
        let more = try Self.problems(
            Self.lists(failing: [entry], suite: suite, capabilities: [.pause, .list]))
        #expect(more.count == 1)
        #expect(more.first?.hasSuffix("write 'count: 2'") == true)
        let never = try Self.problems(
            Self.lists(failing: [Self.entry("list/*", count: 1)], suite: suite))
        #expect(never.first?.contains("fits 0 scenarios that this client runs") == true)
    }

    @Test("Two entries that fit one scenario are told, within a list and across")
    func overlaps() throws {
        let lists = try Self.lists(
            failing: [
                Self.entry("retry/**", count: 2, line: 1), Self.entry("retry/two", line: 2),
                Self.entry("partial/cut[*]", count: 2, line: 3),
            ], flaky: [Self.entry("partial/**", expires: "2026-12-31", limit: 3, line: 9)])
        #expect(
            Self.problems(lists) == [
                "list-entry 2: 'retry/two' and 'retry/**' of known-failing (c.yaml:1:5) both fit "
                    + "'retry/two': one entry must be the only one",
                "list-entry 9: 'partial/**' and 'partial/cut[*]' of known-failing (c.yaml:3:5) "
                    + "both fit 'partial/cut[how=close]': one entry must be the only one",
            ])
        #expect(lists.judged(Self.result("retry/two", .passed)).listed?.place.line == 1)
    }

    @Test(
        "An entry counts on its last day and has expired on the next",
        arguments: [("2026-12-01", false), ("2026-12-02", true), ("2026-11-30", false)])
    func expiry(today: String, hasExpired: Bool) throws {
        let entry = Self.entry("retry/one", expires: "2026-12-01", limit: 3)
        let sentence =
            "list-entry 7: 'retry/one' expired on 2026-12-01: look at it again"
        let wanted = hasExpired ? [sentence] : []
        #expect(try Self.problems(Self.lists(failing: [entry], today: today)) == wanted)
        #expect(try Self.problems(Self.lists(flaky: [entry], today: today)) == wanted)
    }

    @Test("A flaky entry ends within a year", arguments: [("2027-12-01", 0), ("2027-12-02", 1)])
    func farExpiry(expires: String, count: Int) throws {
        let entry = Self.entry("retry/one", expires: expires, limit: 3)
        #expect(try Self.problems(Self.lists(flaky: [entry])).count == count)
        #expect(try Self.problems(Self.lists(failing: [entry])).isEmpty)
    }

    @Test("An entry that fits only what was skipped claims what nobody has seen")
    func onlySkipped() throws {
        let lists = try Self.lists(failing: [Self.entry("retry/*", count: 2)])
        var one = Self.result("retry/one", .skipped)
        one.reason = "the client cannot: pause"
        let two = Self.result("retry/two", .skipped)
        #expect(
            Self.problems(lists, [one, two]) == [
                "list-entry 7: 'retry/*' fits only what was skipped, and claims what nobody has "
                    + "seen: the client cannot: pause"
            ])
        // A part of the suite shows nothing of the rest.
        #expect(Self.problems(lists, [one]) == [])
        for verdict in [Verdict.notRun, .expectedFailure, .void, .pending] {
            #expect(Self.problems(lists, [one, Self.result("retry/two", verdict)]) == [])
        }
    }

    @Test("More forgiven tries than the file allows are too many", arguments: [(3, 0), (2, 1)])
    func flakyLimit(limit: Int, count: Int) throws {
        let lists = try Self.lists(flakyLimit: limit)
        let results = [
            Self.result("retry/one", .flaky, tries: [.failed, .errored, .failed]),
            Self.result("retry/two", .flaky, tries: [.failed]),
            Self.result("list/pages", .failed, tries: [.failed]),
        ]
        let problems = lists.problems(results)
        #expect(problems.map(\.kind) == Array(repeating: .flakyLimit, count: count))
        if count == 1 {
            #expect(
                problems.first?.sentence == "3 failed tries were forgiven and the file allows 2: "
                    + "retry/one, retry/two")
        }
    }

    @Test("A wrong list is not green, and what is red comes before it")
    func exitCodes() throws {
        let lists = try Self.lists(failing: [Self.entry("gone/**")])
        var report = RunReport(
            toolVersion: "1", suiteVersion: "1", suiteDigest: "0",
            client: .init(name: "c", version: "1"), seed: 1)
        report.results = [Self.result("retry/one", .passed)]
        report.problems = lists.problems(report.results)
        #expect(report.exitCode == .listEntry)
        report.results.append(Self.result("retry/two", .unexpectedPass))
        #expect(report.exitCode == .red)
    }
}
