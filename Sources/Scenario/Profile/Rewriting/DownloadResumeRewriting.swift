import EventMatching
import FaultEngine
import StorageModel

/// Trait `download-resume`: after a break, and perhaps after a pause, a download begins anew.
enum DownloadResumeRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let value = draft.traits.downloadResume
        guard value != .range else { return }
        let scenario = draft.scenario
        let begun = draft.facts.downloads.filter { task in
            interruptions(of: task, scenario, value) != 0
        }
        guard !begun.isEmpty else { return }
        try checkPauses(draft, begun)
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            guard begun.contains(where: { $0.name == facts.name }) else { return }
            guard let falls = task.progress?.value.falls else { return }
            let more = interruptions(of: facts, scenario, value)
            task.progress?.value.falls = more.map { falls.raisingUpper(by: Double($0)) }
        }
        try draft.changeSets { (set) throws(LeftOut) in
            try changeLog(&set, begun, scenario, value)
        }
    }

    /// Leaves out what asks for offsets where some begin anew and others do not.
    private static func checkPauses(
        _ draft: RewriteDraft, _ begun: [TransferFacts]
    ) throws(LeftOut) {
        guard draft.traits.downloadResume == .afterPause else { return }
        let goesOn = draft.facts.downloads.contains { !$0.isInMemory && $0.pauses > 0 }
        guard goesOn, WireTests.name(.download, draft.sets) else { return }
        throw LeftOut("which requests go on after a pause, and which begin anew, is not told")
    }

    /// How often the download may begin anew; nil: without end.
    private static func interruptions(
        of task: TransferFacts, _ scenario: ScenarioFile, _ value: Traits.DownloadResume
    ) -> Int? {
        var count = value == .restart || task.isInMemory ? task.pauses : 0
        if !scenario.backend.link.isEmpty { return nil }
        for rule in scenario.faults where rule.canMeet(task) {
            let breaks = rule.symptoms.contains { symptom in
                switch symptom {
                case .status, .transport: true
                case .falseBytes, .falseChecksum: false
                }
            }
            guard breaks else { continue }
            guard let firings = rule.mostFirings else { return nil }
            count += firings
        }
        return count
    }

    private static func changeLog(
        _ set: inout Expectation, _ begun: [TransferFacts], _ scenario: ScenarioFile,
        _ value: Traits.DownloadResume
    ) throws(LeftOut) {
        for index in (set.requests ?? []).indices {
            guard let pattern = set.requests?[index].value.pattern else { continue }
            set.requests?[index].value.pattern = try pattern.replacing {
                (condition) throws(LeftOut) in
                guard isDownload(condition.operation), let offset = condition.offset,
                    !offset.holds(Int64(0))
                else { return condition }
                var condition = condition
                condition.offset = .exactly(0, .size)
                return condition
            }
        }
        for index in set.exchanges.indices {
            let test = set.exchanges[index].value
            guard isDownload(test.selector.operation) else { continue }
            let names = test.headers.keys.map { $0.lowercased() }
            guard !names.contains("range"), test.offset.map({ $0.holds(Int64(0)) }) ?? true else {
                throw LeftOut("a test asks for a range, and this client begins anew")
            }
            guard let downloaded = test.downloaded else { continue }
            set.exchanges[index].value.downloaded = try more(downloaded, begun, scenario, value)
        }
    }

    /// Every interruption may bring the whole object once more.
    private static func more(
        _ test: NumberTest, _ begun: [TransferFacts], _ scenario: ScenarioFile,
        _ value: Traits.DownloadResume
    ) throws(LeftOut) -> NumberTest {
        var more: Int64 = 0
        for task in begun {
            guard let size = task.size, let count = interruptions(of: task, scenario, value)
            else {
                throw LeftOut("how many bytes come again after an interruption is not told")
            }
            more += size * Int64(count)
        }
        return test.raisingUpper(by: Double(more))
    }

    private static func isDownload(_ pattern: OperationPattern) -> Bool {
        if case .one(let operation) = pattern { operation.isDownload } else { false }
    }
}
