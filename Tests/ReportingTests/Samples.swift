import EventMatching
import RunModel
import StorageModel

enum Samples {
    static let hostile = "a<b>&\"'\u{1B}[31m]]>\u{0}\n\r\tü\u{FFFF}😀"

    static func failed() -> ScenarioResult {
        var result = ScenarioResult(
            id: "resume/cut[how=reset,path=a/b]", title: "It goes on after a reset",
            file: "scenarios/resume/cut.yaml", verdict: .failed)
        result.sources = ["D20", "B072"]
        result.seed = 9
        result.duration = .milliseconds(3250)
        let events = [
            TransferEvent(kind: .resume, total: 1 << 20),
            TransferEvent(kind: .success, completed: 1 << 20, total: 1 << 20, time: .seconds(1)),
            TransferEvent(
                kind: .success, completed: 1 << 20, total: 1 << 20, time: .milliseconds(1200)),
        ]
        var task = TaskRecord(name: "up", isUpload: true, bucket: "demo", path: "a.bin")
        task.events = events
        result.tasks = [task]
        var exchange = ExchangeRecord(
            ordinal: 1, connection: 1, operation: .uploadFinalize, method: "POST", target: "/v0/b",
            start: .milliseconds(500))
        exchange.status = 503
        exchange.end = .milliseconds(1100)
        exchange.faults = [FiredFault(rule: 1, name: "busy", time: .milliseconds(1100))]
        result.exchanges = [exchange]
        let pattern = [TransferEvent.Kind.resume, .success].map {
            EventPattern.atom(.event(EventCondition($0)), .once)
        }
        let difference = EventMatcher(pattern).difference(
            from: events, end: .seconds(9), exchanges: result.exchanges)
        result.failures = [
            Failure(
                .events, subject: "up", difference?.sentence ?? "",
                place: SourcePlace(file: "scenarios/resume/cut.yaml", line: 24, column: 13),
                difference: difference),
            Failure(
                InvariantViolation(.oneTerminal, task: "up", "the terminal event came twice")),
        ]
        result.repeatCommand = "squall run scenarios/resume/cut.yaml --seed 9"
        return result
    }

    static func report() -> RunReport {
        var report = RunReport(
            toolVersion: "0.1", suiteVersion: "1.0", suiteDigest: "ab12",
            client: .init(name: "reference", version: "0.1"), seed: 7)
        var skipped = ScenarioResult(id: "auth/token", title: "Tokens", verdict: .skipped)
        skipped.reason = "the client cannot do 'tokens'"
        report.results = [
            ScenarioResult(id: "resume/ok", title: "Fine", verdict: .passed), failed(), skipped,
        ]
        report.wallDuration = .milliseconds(8214)
        return report
    }
}
