import EventMatching
import FaultEngine
import StorageModel

/// Traits `retries`, `query-failure`, `refused-while-active` and `after-break`: what follows a fault.
enum RetryRewriting {
    /// The trait that a client's answer to a fault follows from.
    enum Reaction: Hashable {
        /// As documented.
        case asDocumented
        case failsAtOnce
        /// The same body again, and nothing is asked.
        case sendsAgain
    }

    /// The habits of one trait alone are looked at; the others are as documented.
    static func apply(_ trait: Trait, _ draft: inout RewriteDraft) throws(LeftOut) {
        var habits = Traits.documented
        switch trait {
        case .retries: habits.retries = draft.traits.retries
        case .queryFailure: habits.queryFailure = draft.traits.queryFailure
        case .refusedWhileActive: habits.refusedWhileActive = draft.traits.refusedWhileActive
        default: habits.afterBreak = draft.traits.afterBreak
        }
        guard habits != .documented else { return }
        if trait == .retries {
            try checkLink(draft)
            try KeptConnections.check(draft)
        }
        if trait == .afterBreak { try checkDeadLink(draft) }
        for rule in draft.scenario.faults where isMet(rule, draft.facts) {
            for symptom in rule.symptoms {
                switch try reaction(habits, rule, symptom) {
                case .asDocumented: break
                case .failsAtOnce: return try fail(rule, symptom, &draft)
                case .sendsAgain: try resend(rule, symptom, &draft)
                }
            }
        }
    }

    private static func isMet(_ rule: FaultRule, _ facts: ScenarioFacts) -> Bool {
        facts.transfers.contains(where: rule.canMeet)
            || facts.steps.contains { rule.canMeet($0.verb) }
    }

    // MARK: What a client does

    private static func reaction(
        _ habits: Traits, _ rule: FaultRule, _ symptom: FaultSymptom
    ) throws(LeftOut) -> Reaction {
        let isQuery = rule.selector.operation == .one(.uploadQuery)
        switch symptom {
        case .falseBytes, .falseChecksum: return .asDocumented
        case .status(let status, let upload):
            if isRefusal(status, upload), !isQuery { return refusal(habits, rule) }
            let documented = Traits.documented.retries.retries(status)
            if isQuery, habits.queryFailure == .fatal, documented { return .failsAtOnce }
            let own = habits.retries.retries(status)
            if own, !documented {
                throw LeftOut(
                    "the fault '\(rule.title)' answers \(status), which this client tries again: "
                        + "how long is not told")
            }
            return documented && !own ? .failsAtOnce : .asDocumented
        case .transport(let faults):
            let documented = faults.filter(Traits.documented.retries.retries)
            if isQuery, habits.queryFailure == .fatal { return .failsAtOnce }
            let own = documented.filter(habits.retries.retries)
            if let status = rule.unaskedStatus, habits.retries.retries(status) == own.isEmpty {
                throw LeftOut(
                    "whether this client hears the answer that comes unasked with '\(rule.title)', "
                        + "or a break, is not told")
            }
            if own.count == documented.count {
                return habits.afterBreak == .resend && breaksBody(rule)
                    ? .sendsAgain : .asDocumented
            }
            guard own.isEmpty else {
                throw LeftOut(
                    "what this client calls the break of '\(rule.title)', and whether it tries "
                        + "again, is not told")
            }
            return .failsAtOnce
        }
    }

    /// A 4xx of a session that says that it is active, but for those that say who or what is missing.
    private static func isRefusal(
        _ status: Int, _ upload: ForcedResponse.UploadStatus?
    ) -> Bool {
        upload == .active && (400...499).contains(status)
            && ![401, 402, 403, 404, 410].contains(status)
            && !Traits.documented.retries.retries(status)
    }

    private static func refusal(_ habits: Traits, _ rule: FaultRule) -> Reaction {
        switch habits.refusedWhileActive {
        case .query: .asDocumented
        case .retry: .sendsAgain
        case .fail: .failsAtOnce
        }
    }

    private static func breaksBody(_ rule: FaultRule) -> Bool {
        switch rule.selector.operation {
        case .uploadBody, .one(.uploadChunk), .one(.uploadFinalize), .prefix("upload."),
            .everything:
            true
        case .one, .prefix: false
        }
    }

    // MARK: What then comes

    private static func fail(
        _ rule: FaultRule, _ symptom: FaultSymptom, _ draft: inout RewriteDraft
    ) throws(LeftOut) {
        switch symptom {
        case .status(let status, _):
            try DirectFailure(
                rule: rule, status: status, what: "the fault '\(rule.title)' answers \(status)"
            ).apply(&draft)
        case .transport(let faults):
            guard !faults.contains(.timedOut) else {
                throw LeftOut(
                    "the fault '\(rule.title)' leaves an exchange without an end, and when this "
                        + "client gives it up is not told")
            }
            try DirectFailure(
                rule: rule, status: nil, what: "the fault '\(rule.title)' breaks an exchange"
            ).apply(&draft)
        case .falseBytes, .falseChecksum: break
        }
    }

    /// The same body comes again, at the same offset: right where the server has kept nothing of it.
    private static func resend(
        _ rule: FaultRule, _ symptom: FaultSymptom, _ draft: inout RewriteDraft
    ) throws(LeftOut) {
        guard rule.keepsNothing(draft.scenario.backend.settings.granularity) else {
            throw LeftOut(
                "the server may keep a part of the body that meets '\(rule.title)', and what a "
                    + "real one says to a client that sends it again unasked is not known")
        }
        guard !draft.facts.steps.contains(where: { awaitsQuery($0.when) }) else {
            throw LeftOut(
                "a step waits for a query, and this client makes none after '\(rule.title)'")
        }
        guard WireTests.name(.uploadQuery, draft.sets) else { return }
        guard !rule.mayMiss else {
            throw LeftOut("whether '\(rule.title)' fires, and spares a query, is left to chance")
        }
        guard draft.facts.uploads.allSatisfy({ $0.pauses == 0 }) else {
            throw LeftOut("which queries follow a pause and which a fault is not told")
        }
        try UnsentOperation.check(draft, [.uploadQuery])
        try UnsentOperation.remove(.uploadQuery, &draft)
    }

    private static func awaitsQuery(_ trigger: Trigger?) -> Bool {
        switch trigger {
        case .wire(let selector, _): selector.operation == .one(.uploadQuery)
        case .all(let all): all.contains(where: awaitsQuery)
        case .task, .result, .fault, .step, .time, .gate, nil: false
        }
    }

    /// Where the link dies under a body, the server may have kept a part of it.
    private static func checkDeadLink(_ draft: RewriteDraft) throws(LeftOut) {
        let byTime = draft.scenario.backend.link.contains { change in
            if case .down = change.state { change.at > .zero } else { false }
        }
        let byStep = draft.facts.steps.contains { step in
            if case .backend(.link(.down)) = step.verb { true } else { false }
        }
        guard byTime || byStep, !draft.facts.uploads.isEmpty else { return }
        throw LeftOut(
            "the link goes down, the server may keep a part of a body, and what a real one says to a "
                + "client that sends it again unasked is not known")
    }

    /// A link that is down from the beginning refuses every connection.
    private static func checkLink(_ draft: RewriteDraft) throws(LeftOut) {
        for change in draft.scenario.backend.link {
            guard case .down(let kind, let keeps) = change.state else { continue }
            var faults: [TransportFault] = kind == .refuse ? [.refused] : [.timedOut]
            if change.at > .zero, !keeps { faults.append(.timedOut) }
            for fault in faults where !draft.traits.retries.retries(fault) {
                throw LeftOut(
                    "the link is down (\(fault.rawValue)), and this client does not try that again: "
                        + "what then comes is not told")
            }
        }
        let steps = draft.facts.steps
        for case .backend(.link(.down(let kind, let keeps))) in steps.map(\.verb) {
            var faults: [TransportFault] = kind == .refuse ? [.refused] : [.timedOut]
            if !keeps { faults.append(.timedOut) }
            for fault in faults where !draft.traits.retries.retries(fault) {
                throw LeftOut(
                    "a step takes the link down (\(fault.rawValue)), and this client does not try "
                        + "that again: what then comes is not told")
            }
        }
    }
}

extension FaultRule {
    /// True where it is certain that the server keeps no byte of the body that meets it.
    func keepsNothing(_ granularity: Int64) -> Bool {
        if commit == CommitAmount.none { return true }
        guard commit == nil else { return false }
        if actions.contains(where: { if case .drop(.chunk) = $0 { true } else { false } }) {
            return true
        }
        switch phase {
        case .connect, .requestHead: return true
        case .requestBody(.bytes(let bytes)): return bytes < granularity
        case .beforeCommit:
            return actions.contains { if case .respond = $0 { true } else { false } }
        case .requestBody, .afterCommit, .responseHead, .responseBody, .responseEnd, .idle,
            .elapsed, .unread:
            return false
        }
    }
}
