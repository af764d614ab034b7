import EventMatching
import RunModel
import Scenario
import ScenarioRunner
import StorageModel
import Testing

@Suite("Proposals for lists")
struct BaselineProposalTests {
    private static let suite = [
        "cut[how=close]", "cut[how=reset]", "list/pages", "retry/one", "retry/three", "retry/two",
    ]

    private static func entry(
        _ pattern: String, failure: [String] = [], expires: String? = nil, limit: Int? = nil,
        count: Int? = nil
    ) -> KnownEntry {
        KnownEntry(
            pattern: ScenarioPattern(pattern), failure: failure, reason: "r", link: "K.md#k",
            expires: expires.flatMap { CalendarDay($0) }, limit: limit, count: count,
            place: SourcePlace(file: "c.yaml", line: 3, column: 5))
    }

    private static func result(
        _ id: String, _ verdict: Verdict, _ failures: [Failure] = [], tries: [Verdict] = []
    ) -> ScenarioResult {
        var result = ScenarioResult(id: id, verdict: verdict)
        result.failures =
            failures.isEmpty && [.failed, .expectedFailure].contains(verdict) ? [broken] : failures
        result.earlierTries = tries.map { Try(verdict: $0, seed: 1, sentence: "it broke") }
        return result
    }

    private static let broken = Failure(.events, subject: "up", "seen success at 3s")

    private static func proposal(
        failing: [KnownEntry] = [], flaky: [KnownEntry] = [], isWhole: Bool = true,
        _ results: [ScenarioResult]
    ) throws -> BaselineProposal {
        var lists = KnownLists()
        lists.failing = failing
        lists.flaky = flaky
        var bound = BoundLists(
            lists, suite: SuiteIDs(ids: suite, isWhole: isWhole), suiteIDs: [],
            today: try #require(CalendarDay("2026-12-01")))
        bound.capabilities = []
        return BaselineProposal(bound, results: results)
    }

    @Test("Lists that say what is so are left alone")
    func nothing() throws {
        let proposal = try Self.proposal(
            failing: [
                Self.entry("retry/one"), Self.entry("cut[*]", failure: ["events"], count: 2),
            ],
            flaky: [Self.entry("retry/two", expires: "2026-12-31", limit: 3)],
            [
                Self.result("retry/one", .expectedFailure),
                Self.result("retry/two", .flaky, tries: [.failed]),
                Self.result("cut[how=close]", .expectedFailure), Self.result("list/pages", .passed),
            ])
        #expect(proposal.edit.isEmpty)
        #expect(proposal.remarks == [])
    }

    @Test("What passes, fits nothing, has expired, is there twice or only skipped is deleted")
    func deletions() throws {
        let proposal = try Self.proposal(
            failing: [
                Self.entry("retry/one"), Self.entry("gone/x"),
                Self.entry("retry/two", expires: "2026-11-30"), Self.entry("list/pages"),
                Self.entry("retry/three"), Self.entry("retry/three"),
            ],
            flaky: [Self.entry("cut[*]", expires: "2026-11-30", limit: 3)],
            [
                Self.result("retry/one", .unexpectedPass), Self.result("retry/two", .passed),
                Self.result("list/pages", .skipped),
                Self.result("retry/three", .expectedFailure),
            ])
        #expect(
            proposal.edit.deletions == [
                .init(.failing, 0), .init(.failing, 1), .init(.failing, 2), .init(.failing, 3),
                .init(.failing, 5), .init(.flaky, 0),
            ])
        #expect(proposal.edit.narrowings == [:])
        #expect(proposal.edit.additions == [])
    }

    @Test("Where the suite cannot be read whole nothing is said to fit nothing")
    func unknownSuite() throws {
        let proposal = try Self.proposal(
            failing: [Self.entry("gone/x")], isWhole: false, [Self.result("retry/one", .passed)])
        #expect(proposal.edit.isEmpty)
    }

    @Test("An entry of which some passes is narrowed to what does not, run or not")
    func narrowing() throws {
        let proposal = try Self.proposal(
            failing: [Self.entry("retry/*"), Self.entry("c**")],
            [
                Self.result("retry/one", .unexpectedPass),
                Self.result("retry/two", .expectedFailure),
                Self.result("cut[how=close]", .unexpectedPass),
                Self.result("cut[how=reset]", .skipped),
            ])
        #expect(
            proposal.edit.narrowings == [
                .init(.failing, 0): [.init("retry/three"), .init("retry/two")]
            ])
        #expect(proposal.edit.deletions == [.init(.failing, 1)])
    }

    @Test("All rows that are left of a wider entry are one pattern, with their count")
    func narrowingCounts() throws {
        let proposal = try Self.proposal(
            failing: [Self.entry("**t**", count: 4)],
            [
                Self.result("retry/one", .unexpectedPass), Self.result("list/pages", .skipped),
                Self.result("retry/two", .unexpectedPass),
                Self.result("retry/three", .unexpectedPass),
            ])
        #expect(
            proposal.edit.narrowings == [.init(.failing, 0): [.init("cut[*]", count: 2)]])
        #expect(proposal.edit.counts == [:])
    }

    @Test("A wildcard without a count gets it, and one that stands for fewer the smaller one")
    func counts() throws {
        let results = [
            Self.result("retry/one", .expectedFailure), Self.result("retry/two", .expectedFailure),
        ]
        let missing = try Self.proposal(failing: [Self.entry("retry/*")], results)
        #expect(missing.edit.counts == [.init(.failing, 0): 3])
        #expect(missing.remarks == [])
        let shrunk = try Self.proposal(failing: [Self.entry("retry/*", count: 4)], results)
        #expect(shrunk.edit.counts == [.init(.failing, 0): 3])
        let right = try Self.proposal(failing: [Self.entry("retry/*", count: 3)], results)
        #expect(right.edit.isEmpty)
        let unknown = try Self.proposal(
            failing: [Self.entry("retry/*")], isWhole: false, results)
        #expect(unknown.edit.isEmpty)
    }

    @Test("What came under a wildcard is for people: no count is raised by itself")
    func grown() throws {
        let proposal = try Self.proposal(
            failing: [Self.entry("retry/*", count: 2)],
            [Self.result("retry/one", .expectedFailure)])
        #expect(proposal.edit.isEmpty)
        #expect(
            proposal.remarks == [
                "'retry/*' (c.yaml:3:5) counts 2, and fits 3 scenarios now: look at what came to "
                    + "it, then write 'count: 3'"
            ])
    }

    @Test("What fails and is not listed is added with the kind of its failures")
    func additions() throws {
        let twice = Failure(.invariant, subject: "up", "twice", invariant: .oneTerminal)
        let unfired = Failure(.unfiredFault, subject: "x", "never fired")
        let proposal = try Self.proposal([
            Self.result("retry/one", .failed, [Self.broken, twice, Self.broken, unfired]),
            Self.result("list/pages", .passed),
        ])
        #expect(
            proposal.edit.additions == [
                .init(
                    .failing, pattern: "retry/one", comment: "events: up: seen success at 3s",
                    failure: ["events: up:", "[one-terminal]"])
            ])
    }

    @Test("All rows that fail alike are one entry, which counts them; others are their own")
    func rows() throws {
        let close = Self.result("cut[how=close]", .failed)
        let alike = try Self.proposal([close, Self.result("cut[how=reset]", .failed)])
        #expect(alike.edit.additions.map(\.pattern) == ["cut[*]"])
        #expect(alike.edit.additions.map(\.count) == [2])
        let other = Failure(.stored, subject: "a", "3 bytes differ")
        let unlike = try Self.proposal([close, Self.result("cut[how=reset]", .failed, [other])])
        #expect(unlike.edit.additions.map(\.pattern) == ["cut[how=close]", "cut[how=reset]"])
        #expect(unlike.edit.additions.map(\.count) == [nil, nil])
        let part = try Self.proposal([close])
        #expect(part.edit.additions.map(\.pattern) == ["cut[how=close]"])
    }

    @Test("What an expired entry covered, and still fails, is added anew")
    func expired() throws {
        let proposal = try Self.proposal(
            failing: [Self.entry("retry/one", expires: "2026-11-30")],
            flaky: [Self.entry("retry/two", expires: "2026-11-30", limit: 3)],
            [
                Self.result("retry/one", .expectedFailure),
                Self.result("retry/two", .flaky, tries: [.failed]),
            ])
        #expect(proposal.edit.deletions.count == 2)
        #expect(proposal.edit.additions.map(\.list) == [.failing, .flaky])
        #expect(proposal.edit.additions.map(\.pattern) == ["retry/one", "retry/two"])
        #expect(proposal.edit.additions.last?.comment == "passed in try 2: it broke")
    }

    @Test("A known scenario that fails otherwise is for people, and so is one that never passes")
    func remarks() throws {
        let proposal = try Self.proposal(
            failing: [Self.entry("retry/one", failure: ["stored"])],
            flaky: [Self.entry("retry/two", expires: "2026-12-31", limit: 2)],
            [
                Self.result("retry/one", .failed),
                Self.result("retry/two", .failed, tries: [.failed]),
                Self.result("list/pages", .void), Self.result("retry/three", .errored),
            ])
        #expect(proposal.edit.isEmpty)
        #expect(
            proposal.remarks == [
                "'retry/one' is known (c.yaml:3:5) to fail with 'stored', and not with "
                    + "'events: up: seen success at 3s': look at it",
                "'retry/two' is known-flaky (c.yaml:3:5) and never passed: look at it",
                "1 void, 1 errored: nothing is proposed for these",
            ])
    }

    @Test("Entries that overlap and are not the same are for people")
    func overlap() throws {
        let proposal = try Self.proposal(
            failing: [Self.entry("retry/*", count: 3), Self.entry("retry/two")],
            [Self.result("retry/two", .expectedFailure)])
        #expect(proposal.edit.isEmpty)
        #expect(proposal.remarks.count == 1)
        #expect(proposal.remarks.first?.contains("both fit 'retry/two'") == true)
    }

    @Test("A client that does not run at all is no list of failures")
    func noClient() throws {
        let crash = Failure(.client, "the client exited with 127")
        let proposal = try Self.proposal([
            Self.result("retry/one", .failed, [crash]), Self.result("retry/two", .notRun),
        ])
        #expect(proposal.edit.isEmpty)
        #expect(
            proposal.remarks == [
                "the client broke off in every scenario: nothing is proposed for that",
                "1 not run: nothing is proposed for these",
            ])
        let one = try Self.proposal([
            Self.result("retry/one", .failed, [crash]), Self.result("retry/two", .passed),
        ])
        #expect(one.edit.additions.map(\.failure) == [["client:"]])
    }
}
