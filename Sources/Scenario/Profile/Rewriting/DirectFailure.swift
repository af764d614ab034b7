import EventMatching
import FaultEngine
import StorageModel

/// A fault that ends the transfer which meets it, where a documented client would try again.
///
/// What then comes is computed where it is certain: one fault, one transfer or step that meets it,
/// nothing that waits for what no longer comes. Everything else leaves the scenario out.
struct DirectFailure {
    let rule: FaultRule
    /// The status of the answer; nil where the exchange breaks.
    let status: Int?
    /// What the client calls it.
    var code = ErrorCode.unknown
    /// How a sentence names what happened.
    let what: String

    func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        try check(draft)
        let transfers = draft.facts.transfers.filter(rule.canMeet)
        let verbs = draft.facts.steps.filter { rule.canMeet($0.verb) }
        switch (transfers.count, verbs.count) {
        case (1, 0): try fail(transfers[0], &draft)
        case (0, 1): try fail(verbs[0], &draft)
        default: throw LeftOut("\(told), and what meets it first is not told")
        }
    }

    private var told: String { "\(what), which this client does not try again" }

    private func check(_ draft: RewriteDraft) throws(LeftOut) {
        let others = draft.scenario.faults.filter {
            $0.position != rule.position && !$0.symptoms.isEmpty && !leads($0, draft)
        }
        guard others.isEmpty, draft.scenario.backend.link.isEmpty else {
            throw LeftOut("\(told), and other faults come before or after it")
        }
        guard rule.chance == nil, !rule.mayMiss else {
            throw LeftOut("\(told), and whether it fires is left to chance")
        }
        guard draft.scenario.expect.outcomes.isEmpty else {
            throw LeftOut("\(told), and the scenario has several outcomes")
        }
    }

    /// True for a fault that comes once, before this one for certain, and that this client tries again: it
    /// leads to the request that then fails.
    private func leads(_ other: FaultRule, _ draft: RewriteDraft) -> Bool {
        guard other.chance == nil, !other.mayMiss,
            case .exactly(let first) = other.selector.ordinal,
            other.selector.per == rule.selector.per,
            other.selector.filters == rule.selector.filters
        else { return false }
        let comesBefore: Bool
        switch (other.selector.operation, rule.selector.operation) {
        case (.one(.uploadChunk), .one(.uploadQuery)), (.uploadBody, .one(.uploadQuery)):
            comesBefore = firingNumber == 1
        case (let one, let two) where one == two:
            comesBefore = firingNumber.map { first < $0 } ?? false
        default: comesBefore = false
        }
        return comesBefore
            && other.symptoms.allSatisfy { symptom in
                switch symptom {
                case .status(let status, _): draft.traits.retries.retries(status)
                case .transport(let faults): faults.allSatisfy(draft.traits.retries.retries)
                case .falseBytes, .falseChecksum: false
                }
            }
    }

    // MARK: A transfer

    private func fail(_ task: TransferFacts, _ draft: inout RewriteDraft) throws(LeftOut) {
        guard task.pauses == 0, task.cancels == 0, !task.isRepeated else {
            throw LeftOut("\(told), and '\(task.name)' is paused, cancelled or repeated")
        }
        guard !draft.facts.isWatched(task) else {
            throw LeftOut("\(told), and what an observer or a snapshot of it shows is not told")
        }
        try checkWaiters(task.name, draft)
        let before = try progressBefore(task, draft)
        let scenario = draft.scenario
        try draft.changeTasks { (expected, facts) throws(LeftOut) in
            guard facts.name == task.name else { return }
            try expected.changeEvents { (events) throws(LeftOut) in
                guard events.first?.kind == .resume else {
                    throw LeftOut("\(told), and '\(task.name)' may not have begun by then")
                }
                return [.event(.resume)] + before + [.event(.failure, codes: [code])]
            }
            let place = expected.error?.place ?? expected.events?.place ?? expected.place
            expected.error = Placed(error, place)
            expected.metadata = nil
            expected.progress = nil
            expected.local = nil
            expected.times = expected.times.compactMap(Self.withoutLower)
        }
        try draft.changeSets { (set) throws(LeftOut) in
            try changeLog(&set, task, scenario)
            changeStored(&set, task, scenario)
        }
        let facts = draft.facts
        LaterFaults(rule: rule, number: firingNumber).excuse(&draft) { other in
            other.canMeet(task) && !facts.steps.contains { other.canMeet($0.verb) }
                && facts.transfers.allSatisfy { $0.name == task.name || !other.canMeet($0) }
        }
    }

    private var error: ErrorTest {
        var test = ErrorTest(.one(code))
        test.status = status.flatMap { StatusTest("\($0)") }
        return test
    }

    /// A transfer that fails at once ends earlier, and not with success.
    static func withoutLower(_ time: Placed<TimeTest>) -> Placed<TimeTest>? {
        guard time.value.moment.isEnd, time.value.moment != .event(.success),
            let test = time.value.test.withoutLower
        else { return nil }
        var time = time
        time.value.test = test
        return time
    }

    /// What is told of progress before the fault.
    private func progressBefore(
        _ task: TransferFacts, _ draft: RewriteDraft
    ) throws(LeftOut) -> [EventPattern] {
        let isLed = draft.scenario.faults.contains {
            $0.position != rule.position && leads($0, draft)
        }
        if isLed { return [.event(.progress, .any)] }
        if case .responseBody = rule.phase { return [.event(.progress, .any)] }
        guard meetsTheFirst else { return [.event(.progress, .any)] }
        guard task.isUpload else { return [] }
        switch (rule.selector.operation, rule.selector.ordinal) {
        case (.one(.uploadStart), _), (.one(.connect), .exactly(1)), (.everything, .all),
            (.everything, .exactly(1)), (.prefix, .all), (.prefix, .exactly(1)):
            return []
        case (.uploadBody, .exactly(let number)), (.one(.uploadChunk), .exactly(let number)):
            guard number > 1 else { return [] }
            guard draft.scenario.client.chunkSize != nil, draft.traits.chunks == .settable else {
                return [.event(.progress, .any)]
            }
            let count = Repetition(lower: number - 1, upper: number - 1)
            return [.event(.progress, count)]
        case (.uploadBody, .all), (.one(.uploadChunk), .all): return []
        default: return [.event(.progress, .any)]
        }
    }

    /// Nothing may wait for what no longer comes.
    private func checkWaiters(_ name: String, _ draft: RewriteDraft) throws(LeftOut) {
        let triggers =
            draft.facts.steps.flatMap(\.triggers) + draft.scenario.faults.flatMap(\.triggers)
        for trigger in triggers {
            let isOfTask = trigger.taskTriggers.contains {
                ScenarioFacts.base($0.task) == name && $0.moment != .end
                    && $0.moment != .event(.failure) && $0.moment != .event(.resume)
            }
            guard !isOfTask, trigger.selectors.isEmpty, !trigger.waitsForResult(of: name) else {
                throw LeftOut("\(told), and a step waits for what then no longer comes")
            }
        }
    }

    /// The log: the request that met the fault is the last one of its transfer.
    private func changeLog(
        _ set: inout Expectation, _ task: TransferFacts, _ scenario: ScenarioFile
    ) throws(LeftOut) {
        let isOfTransfer = { (pattern: OperationPattern) in
            Operation.allCases.contains { operation in
                pattern.matches(operation)
                    && (task.isUpload ? operation.isUpload : operation.isDownload)
            }
        }
        set.exchanges.removeAll { isOfTransfer($0.value.selector.operation) }
        let touches = (set.requests ?? []).contains {
            $0.value.pattern.operations.contains(where: isOfTransfer)
        }
        if touches { set.requests = nil }
        set.sessions = nil
        guard let number = firingNumber, rule.selector.operation != .one(.connect) else { return }
        var selector = ExchangeSelector(operation: rule.selector.operation)
        selector.filters.path = Glob(task.object.path.globEscaped ?? "**")
        guard task.object.path.globEscaped != nil else { return }
        var test = ExchangesTest(selector)
        test.count = .exactly(Int64(number), .count)
        set.exchanges.append(Placed(test, set.tasks.first?.place ?? scenario.title.place))
    }

    /// Which of the exchanges that fit meets it; nil where that is not certain.
    private var firingNumber: Int? {
        meetsTheFirst ? LaterFaults.firstNumber(rule.selector.ordinal) : nil
    }

    /// False where a filter, as a time from which it fires, may let exchanges of the transfer pass first.
    private var meetsTheFirst: Bool {
        var filters = rule.selector.filters
        filters.path = nil
        filters.bucket = nil
        filters.method = nil
        return filters.isEmpty
    }

    /// True where the request that meets the fault may be the one that stores the object.
    private var finishes: Bool {
        switch rule.selector.operation {
        case .one(.uploadStart), .one(.uploadChunk), .one(.uploadQuery), .one(.connect): false
        case .one, .uploadBody, .prefix, .everything: true
        }
    }

    /// An upload that failed is not there, unless it was stored before the answer said no.
    private func changeStored(
        _ set: inout Expectation, _ task: TransferFacts, _ scenario: ScenarioFile
    ) {
        guard task.isUpload else { return }
        let isAfterCommit =
            finishes && WireMoment(selector: rule.selector, phase: rule.phase).isApplied
        let wasThere = scenario.backend.settings.objects.contains { $0.path == task.object.path }
        let byOthers = scenario.allSteps.contains { step in
            if case .upload(let upload) = step.verb {
                upload.object == task.object && step.name != task.name
            } else {
                false
            }
        }
        for index in set.stored.indices where set.stored[index].object == task.object {
            if isAfterCommit || wasThere || byOthers { continue }
            set.stored[index].test = .absent
        }
        if isAfterCommit || wasThere || byOthers {
            set.stored.removeAll { $0.object == task.object && !isAfterCommit }
        }
    }

    // MARK: A step with a result

    private func fail(_ step: Step, _ draft: inout RewriteDraft) throws(LeftOut) {
        guard let name = step.name else {
            throw LeftOut("\(told), and the step that meets it has no name")
        }
        let waits = draft.facts.steps.flatMap(\.triggers).contains {
            $0.waitsForResult(of: name)
        }
        guard !waits else {
            throw LeftOut("\(told), and a step waits for what then no longer comes")
        }
        try draft.changeSets { (set) throws(LeftOut) in
            for index in set.results.indices where set.results[index].name == name {
                let place = set.results[index].error?.place ?? set.results[index].place
                set.results[index].error = Placed(error, place)
                set.results[index].values = []
                set.results[index].times = set.results[index].times.compactMap(Self.withoutLower)
            }
            guard set.requests == nil, set.exchanges.isEmpty, set.stored.isEmpty else {
                throw LeftOut("\(told), and what is expected of the server is not told for that")
            }
        }
        let facts = draft.facts
        LaterFaults(rule: rule, number: firingNumber).excuse(&draft) { other in
            other.canMeet(step.verb) && !facts.transfers.contains(where: other.canMeet)
                && facts.steps.count { other.canMeet($0.verb) } == 1
        }
    }
}

extension Trigger {
    /// True where it waits for the success of a step's result.
    fileprivate func waitsForResult(of name: String) -> Bool {
        switch self {
        case .result(let result, let moment):
            ScenarioFacts.base(result) == name && moment == .success
        case .all(let parts): parts.contains { $0.waitsForResult(of: name) }
        case .task, .wire, .fault, .step, .time, .gate: false
        }
    }
}

extension String {
    /// The text as a glob that fits it alone; nil where it has signs that a glob reads.
    var globEscaped: String? { contains(where: { "*?".contains($0) }) ? nil : self }
}
