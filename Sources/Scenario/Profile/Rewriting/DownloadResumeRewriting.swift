import EventMatching
import FaultEngine
import StorageModel

/// Trait `download-resume`: after a break or a pause a download begins anew.
enum DownloadResumeRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.downloadResume == .restart else { return }
        let scenario = draft.scenario
        let begun = draft.facts.downloads.filter { task in
            interruptions(of: task, scenario) != 0
        }
        guard !begun.isEmpty else { return }
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            guard begun.contains(where: { $0.name == facts.name }) else { return }
            guard let falls = task.progress?.value.falls else { return }
            let more = interruptions(of: facts, scenario)
            task.progress?.value.falls = more.map { falls.raisingUpper(by: Double($0)) }
        }
        try draft.changeSets { (set) throws(LeftOut) in
            try changeLog(&set, begun, scenario)
        }
    }

    /// How often the download may be interrupted; nil: without end.
    private static func interruptions(
        of task: TransferFacts, _ scenario: ScenarioFile
    ) -> Int? {
        var count = task.pauses
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
        _ set: inout Expectation, _ begun: [TransferFacts], _ scenario: ScenarioFile
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
            set.exchanges[index].value.downloaded = try more(downloaded, begun, scenario)
        }
    }

    /// Every interruption may bring the whole object once more.
    private static func more(
        _ test: NumberTest, _ begun: [TransferFacts], _ scenario: ScenarioFile
    ) throws(LeftOut) -> NumberTest {
        var more: Int64 = 0
        for task in begun {
            guard let size = task.size, let count = interruptions(of: task, scenario) else {
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
