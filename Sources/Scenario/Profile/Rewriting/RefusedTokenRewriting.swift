import EventMatching
import FaultEngine
import StorageModel

/// Trait `refused-token`: a request whose token is refused has failed, and no new token is asked for.
///
/// What then comes is computed where the first token is refused from the beginning, or where a fault
/// refuses it, and where one transfer meets that. Everything else leaves the scenario out.
enum RefusedTokenRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let script = draft.scenario.client.tokens
        guard draft.traits.refusedToken == .final, !script.isEmpty else { return }
        if let rule = draft.scenario.faults.first(where: refuses) {
            try DirectFailure(
                rule: rule, status: 401, code: .unauthenticated,
                what: "the fault '\(rule.title)' refuses a token"
            ).apply(&draft)
            return try draft.changeSets { (set) throws(LeftOut) in set.tokensAsked = nil }
        }
        guard mayEnd(draft) else { return }
        guard case .give(let name)? = script.first?.answer,
            draft.scenario.backend.settings.tokens?[name]?.valid == .zero,
            draft.facts.transfers.count == 1, let task = draft.facts.downloads.first,
            task.pauses == 0, task.cancels == 0, !task.isRepeated, draft.facts.results.isEmpty,
            !draft.facts.isWatched(task), draft.scenario.faults.isEmpty
        else {
            throw LeftOut("which request meets a token that is refused is not told")
        }
        try fail(task, &draft)
    }

    private static func refuses(_ rule: FaultRule) -> Bool {
        rule.symptoms.contains { if case .status(401, _) = $0 { true } else { false } }
    }

    /// True where a token may be refused that was asked for.
    private static func mayEnd(_ draft: RewriteDraft) -> Bool {
        let tokens = draft.scenario.backend.settings.tokens ?? [:]
        if tokens.values.contains(where: { $0.valid != nil }) { return true }
        if draft.facts.steps.contains(where: { isExpiry($0.verb) }) { return true }
        return draft.scenario.faults.contains { rule in
            rule.actions.contains { if case .backend(.token) = $0 { true } else { false } }
        }
    }

    private static func isExpiry(_ verb: StepVerb) -> Bool {
        switch verb {
        case .token(.expire), .backend(.token): true
        default: false
        }
    }

    /// The one request of the transfer is refused.
    private static func fail(_ task: TransferFacts, _ draft: inout RewriteDraft) throws(LeftOut) {
        var error = ErrorTest(.one(.unauthenticated))
        error.status = StatusTest("401")
        try draft.changeTasks { (expected, _) throws(LeftOut) in
            try expected.changeEvents { (events) throws(LeftOut) in
                guard events.first?.kind == .resume else {
                    throw LeftOut("whether '\(task.name)' begins is not told")
                }
                return [.event(.resume), .event(.failure, codes: [.unauthenticated])]
            }
            expected.error = Placed(error, expected.error?.place ?? expected.place)
            expected.metadata = nil
            expected.progress = nil
            expected.local = nil
            expected.times = expected.times.compactMap(DirectFailure.withoutLower)
        }
        let place = draft.scenario.title.place
        try draft.changeSets { (set) throws(LeftOut) in
            set.requests = nil
            set.exchanges = []
            set.tokensAsked = set.tokensAsked.map { Placed(.exactly(1, .count), $0.place) }
        }
        var test = ExchangesTest(ExchangeSelector(operation: .one(.download)))
        test.count = .exactly(1, .count)
        draft.scenario.expect.exchanges = [Placed(test, place)]
    }
}
