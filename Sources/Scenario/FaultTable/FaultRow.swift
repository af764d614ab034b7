package import StorageModel

/// A fault at a moment of a request of an operation, once or each time, with what is then expected.
package struct FaultRow: Hashable, Sendable {
    package let fault: FaultCase
    /// The value of `at`; nil: none is written.
    package let phase: String?
    package let target: FaultTarget
    package let repetition: FaultCase.Repetition

    init(
        _ fault: FaultCase, _ phase: String?, _ target: FaultTarget,
        _ repetition: FaultCase.Repetition
    ) {
        self.fault = fault
        self.phase = phase
        self.target = target
        self.repetition = repetition
    }

    /// `cut-download {disconnect: reset} @ response-body 50%, once: download to a file`
    package var name: String {
        "\(fault.title(at: phase)), \(repetition.rawValue): \(target.rawValue)"
    }

    package var kind: FaultClass { fault.kind(at: phase, of: target) }

    package var outcome: FaultOutcome {
        OutcomeRule.outcome(
            of: kind, at: target, isEach: repetition == .each || fault.lasts)
    }

    /// True where a server has to speak TLS for it: that is no scenario of the language.
    package var needsTLS: Bool { fault.action?.hasPrefix("{tls:") == true }

    /// Of the failure; nil: success, or undecided.
    package var code: ErrorCode? {
        switch outcome {
        case .passes, .recovers, .renews, .undecided: nil
        case .exhausts: .retryLimitExceeded
        case .fails(let code): code
        case .refused:
            if case .status(let status)? = fault.cause {
                ErrorCode(ofRefusal: status)
            } else {
                .unknown
            }
        }
    }

    /// The events of a transfer, or what a result is, in the words of the language.
    package var events: String {
        switch (outcome, target.isTransfer) {
        case (.undecided, true): "[resume, progress*, {any: [[success], [failure]]}]"
        case (_, true):
            code.map { "[resume, progress*, failure(\($0.rawValue))]" }
                ?? "[resume, progress+, success]"
        case (.undecided, false): "any"
        case (_, false): code.map(\.rawValue) ?? "success"
        }
    }

    /// How many requests of the target's kind the server sees; nil: that is not told.
    package var tries: String? {
        if let told = fault.tries { return outcome == .undecided ? nil : told }
        if phase == "connect" { return triesOfConnections }
        let isEach = repetition == .each
        let first = isEach && target != .downloadResumed ? 1 : target.ordinal
        let usual = target.count
        switch outcome {
        case .undecided: return nil
        case .passes: return String(usual)
        case .recovers:
            if FaultTarget.bodies.contains(target), kind == .lost { return String(usual) }
            return String(usual + 1)
        case .renews: return triesRenewed(usual)
        case .exhausts: return fault.lasts ? "\(first)" : "\(first + 1)..\(first + 5)"
        case .refused where fault.kind == .gone && FaultTarget.bodies.contains(target): return "2"
        case .refused where fault.kind == .stale: return String(first + 1)
        case .refused, .fails:
            // A wrong checksum shows at the end.
            if fault.kind == .falsified { return String(usual) }
            return String(first)
        }
    }

    private var triesOfConnections: String? {
        switch outcome {
        case .passes, .recovers: "1"
        case .renews, .exhausts, .refused, .fails, .undecided: nil
        }
    }

    private func triesRenewed(_ usual: Int) -> String? {
        switch fault.kind {
        case .stale: String(usual + 1)
        case .gone: target == .uploadQuery ? "1" : String(usual * 2)
        case .untold, .senseless, .replaced: String(usual)
        default: nil
        }
    }

    /// When it is over, as a number test; nil: that is not told.
    package var time: String? {
        switch outcome {
        // Whole units of a body in one request are kept, and the limit is counted from there.
        case .exhausts: target == .uploadWhole ? "20s..30s" : "20s..24s"
        case .recovers: "\(fault.wait ?? "1s")..20s"
        case .refused, .fails:
            target == .uploadQuery || target == .downloadResumed || fault.wait != nil
                ? "1s..3s" : "..900ms"
        case .passes, .renews, .undecided: nil
        }
    }
}

extension FaultCase {
    /// `cut-download {disconnect: reset} @ response-body 50%`
    package func title(at phase: String?) -> String {
        var parts = [fault]
        if let action { parts.append(action) }
        if let commit { parts.append("commit: \(commit)") }
        if action == nil, commit == nil, let backend { parts.append(backend) }
        if let phase { parts.append("@ \(phase)") }
        return parts.joined(separator: " ")
    }
}
