import FaultEngine
import StorageModel

/// Connections that end while nobody uses them, or with the next request.
enum KeptConnections {
    /// Leaves out what depends on whether the client notices before it sends: where it does not, its
    /// next request breaks.
    static func check(_ draft: RewriteDraft) throws(LeftOut) {
        let habit = draft.traits.retries
        let bearsBreaks = [TransportFault.closed, .reset].allSatisfy(habit.retries)
        let bearsAnswers = RetryHabit().statuses.allSatisfy(habit.statuses.contains)
        for rule in draft.scenario.faults {
            let isAnswer = rule.actions.contains { if case .raw = $0 { true } else { false } }
            guard rule.endsKeptConnection, !bearsBreaks || isAnswer && !bearsAnswers else {
                continue
            }
            throw LeftOut(
                "the fault '\(rule.title)' ends a kept connection, and whether this client notices "
                    + "before its next request is not told")
        }
    }
}

extension FaultRule {
    fileprivate var endsKeptConnection: Bool {
        if case .idle = phase { return true }
        return actions.contains { if case .keepAlive = $0 { true } else { false } }
    }

    /// The status of an answer that is sent before any request.
    var unaskedStatus: Int? {
        guard phase == .connect else { return nil }
        for case .respond(let answer) in actions { return answer.status }
        return nil
    }
}
