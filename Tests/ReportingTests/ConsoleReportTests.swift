import EventMatching
import RunModel
import StorageModel
import Testing

@testable import Reporting

@Suite("Console report")
struct ConsoleReportTests {
    @Test("Shows verdict, title, rule, both columns with times and cause, place and repeat command")
    func showsFailures() {
        let text = ConsoleReport(isTerminal: false).block(Samples.failed())
        let wanted = """
            FAILED resume/cut[how=reset,path=a/b]: up: the terminal event came twice: success at 1s \
            and success at 1.2s
              It goes on after a reset
              D20: A transfer ends with the success event or the failure event, and errors come only \
            there.
                    time  expected   seen
                    0s    resume     resume
                    1s    success    success 1 MiB of 1 MiB
                >+  1.2s  (nothing)  success 1 MiB of 1 MiB  <- upload.finalize (request 1): 503 by \
            fault 'busy'
              at scenarios/resume/cut.yaml:24:13
              also: up: the terminal event came twice [one-terminal]
              repeat: squall run scenarios/resume/cut.yaml --seed 9

            """
        #expect(text == wanted)
    }

    @Test("A failure shows the sentence of each rule cited, of every kind, and no other source")
    func showsRules() throws {
        var result = Samples.failed()
        result.sources = ["D20", "W9", "R13", "B072"]
        let text = try #require(ConsoleReport(isTerminal: false).block(result))
        let shown = text.split(separator: "\n").filter { $0.contains(": ") }.compactMap { line in
            RuleBook.all.first { line == "  \($0.name): \($0.sentence)" }?.name
        }
        #expect(shown == ["D20", "W9", "R13"])
        #expect(!text.contains("B072"))
    }

    @Test("A broken invariant shows its rule, though the scenario does not cite it")
    func showsRuleOfInvariant() throws {
        var result = Samples.failed()
        result.failures[0].invariant = .oneTerminal
        let rule = try #require(RuleBook.rule(ofInvariant: "one-terminal"))
        let line = "  \(rule.name): \(rule.sentence)\n"
        #expect(try #require(ConsoleReport(isTerminal: false).block(result)).contains(line))
        result.sources.append(rule.name)
        let text = try #require(ConsoleReport(isTerminal: false).block(result))
        #expect(text.ranges(of: line).count == 1)
    }

    @Test("Ends with the counts, the wall time, the seed and the digest")
    func showsSummary() {
        let report = Samples.report()
        let text = ConsoleReport(isTerminal: false).text(report)
        #expect(text.contains("\n1 skipped: the client cannot do 'tokens'\n"))
        #expect(
            text.hasSuffix(
                """
                3 planned: 1 passed, 1 failed, 1 skipped (8.21 s)
                squall 0.1, suite 1.0, reference 0.1, profile documented, virtual time, seed 7, \
                digest \(report.digest)

                """))
    }

    @Test("Nothing planned is said as it is")
    func showsNothing() {
        var report = Samples.report()
        report.results = []
        #expect(
            ConsoleReport(isTerminal: false).summary(report).hasPrefix(
                "0 planned: 0 passed, 0 failed (8.21 s)\n"))
    }

    @Test(
        "Colours only on a terminal without NO_COLOR",
        arguments: [
            (false, [:], false), (true, [:], true), (true, ["NO_COLOR": "1"], false),
            (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
            (false, ["NO_COLOR": ""], false),
        ] as [(Bool, [String: String], Bool)])
    func colours(isTerminal: Bool, environment: [String: String], wanted: Bool) {
        let report = ConsoleReport(isTerminal: isTerminal, environment: environment)
        #expect(report.text(Samples.report()).contains("\u{1B}[31m") == wanted)
        #expect(report.text(Samples.report()).contains("\u{1B}") == wanted)
    }

    @Test("The live line is shown on a terminal alone, and never wider than it")
    func showsProgress() {
        let off = ConsoleReport(isTerminal: false)
        #expect(off.progress(done: 1, planned: 2, red: 0, current: "a") == "")
        #expect(off.progressEnd == "")
        let on = ConsoleReport(isTerminal: true, environment: ["NO_COLOR": "1"])
        #expect(on.progress(done: 1, planned: 2, red: 1, current: "a") == "\r\u{1B}[K1/2, 1 red  a")
        let long = on.progress(
            done: 1, planned: 2, red: 0, current: String(repeating: "x", count: 99), width: 20)
        #expect(long.count == 4 + 19)
    }

    @Test("What a client says cannot reach the terminal as control characters")
    func cleansText() {
        var result = Samples.failed()
        result.title = Samples.hostile
        result.failures[0].sentence = Samples.hostile
        result.failures[0].notes = [Samples.hostile]
        result.failures[0].difference?.rows[0].seen = Samples.hostile
        let text = ConsoleReport(isTerminal: false).block(result) ?? ""
        let bad = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
        #expect(bad.isEmpty)
        #expect(text.contains("\\x1B[31m"))
    }

    @Test("A void scenario names the fault that never fired")
    func showsUnfiredFaults() {
        var result = ScenarioResult(id: "v", title: "T", verdict: .void)
        result.unfiredFaults = [
            UnfiredFault(
                name: "cut", place: SourcePlace(file: "v.yaml", line: 3, column: 5),
                sentence: "upload.chunk#2 never came")
        ]
        let text = ConsoleReport(isTerminal: false).block(result) ?? ""
        #expect(text.hasPrefix("VOID v\n"))
        #expect(text.contains("fault 'cut' never fired: upload.chunk#2 never came (v.yaml:3:5)"))
    }

    @Test("Problems of the run are told with their place")
    func showsProblems() {
        var report = Samples.report()
        report.problems = [
            .init(
                .listEntry, "'x' fits nothing",
                place: SourcePlace(file: "client.yaml", line: 2, column: 1))
        ]
        let text = ConsoleReport(isTerminal: false).text(report)
        #expect(text.contains("client.yaml:2:1: list entry: 'x' fits nothing\n"))
    }

    @Test("Remarks are told before the counts, and the client's file beside its name")
    func showsRemarks() {
        var report = Samples.report()
        report.client.file = "clients/mine.yaml"
        report.remarks = ["it offers more\nthan its file pins"]
        let text = ConsoleReport(isTerminal: false).text(report)
        let remark = text.firstRange(of: "note: it offers more")
        let counts = text.firstRange(of: " planned: ")
        #expect(remark.map(\.upperBound) ?? text.endIndex < counts?.lowerBound ?? text.startIndex)
        #expect(text.contains(" (clients/mine.yaml), profile"))
    }

    @Test("What is no news takes one line, with its earlier tries")
    func showsShortly() {
        let report = ConsoleReport(isTerminal: false)
        var result = Samples.failed()
        result.verdict = .expectedFailure
        result.reason = "bug 12"
        result.failures[0].sentence = "it broke"
        #expect(report.block(result) == "EXPECTED FAILURE \(result.id): up: it broke (bug 12)\n")
        var again = ScenarioResult(id: "a", title: "t", verdict: .passed)
        #expect(report.block(again) == nil)
        again.earlierTries = [Try(verdict: .errored, seed: 3, sentence: "the loop was late by 2s")]
        #expect(
            report.block(again)
                == "PASSED a\n  try 1 with seed 3: errored: the loop was late by 2s\n")
    }

    @Test("What the client calls its error, and says of it, stands under what failed")
    func ownErrors() {
        var result = ScenarioResult(id: "a/b", verdict: .failed)
        result.failures = [Failure(.events, "down: it failed")]
        var task = TaskRecord(name: "down", isUpload: false, bucket: "b", path: "a")
        let words = ClientError(code: .other, name: "exit 3", message: "broken\u{1B}[31m pipe")
        task.events = [TransferEvent(kind: .failure, error: words)]
        result.tasks = [task]
        let text = ConsoleReport(isTerminal: false).block(result) ?? ""
        #expect(text.contains("  down's error in the client's words: exit 3: broken"))
        #expect(!text.contains("\u{1B}"))
        result.tasks[0].events[0].error = ClientError(code: .other, name: "other", message: "other")
        let plain = ConsoleReport(isTerminal: false).block(result) ?? ""
        #expect(!plain.contains("in the client's words"))
    }
}
