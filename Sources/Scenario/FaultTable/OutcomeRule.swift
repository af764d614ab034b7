package import StorageModel

/// What becomes of an operation that meets a fault.
package enum FaultOutcome: Hashable, Sendable {
    /// Success, with no request more than without the fault.
    case passes
    /// Success after a wait and another try; of a session's bodies the query decides what is sent again.
    case recovers
    /// Success at once with another session, another token, or another request that settles it.
    case renews
    /// Tried again until the limit, then `retryLimitExceeded` with the last cause underneath.
    case exhausts
    /// Fails at once with the code of the status, which lies underneath.
    case refused
    /// Fails at once with this code.
    case fails(ErrorCode)
    /// No rule says so.
    case undecided
}

/// One line of the table that the expected side of every row is computed from. The first line that fits
/// decides.
package struct OutcomeRule: Hashable, Sendable {
    package let kind: FaultClass
    /// The requests that it is for.
    package let targets: Set<FaultTarget>
    /// The fault comes at one request.
    package let once: FaultOutcome
    /// The fault comes at each.
    package let each: FaultOutcome

    private init(
        _ kind: FaultClass, _ targets: Set<FaultTarget> = FaultTarget.everywhere,
        once: FaultOutcome, each: FaultOutcome
    ) {
        self.kind = kind
        self.targets = targets
        self.once = once
        self.each = each
    }

    package static let all: [OutcomeRule] = [
        OutcomeRule(.harmless, once: .passes, each: .passes),
        OutcomeRule(.passing, once: .recovers, each: .exhausts),
        OutcomeRule(.broken, once: .recovers, each: .exhausts),
        // The query finds the bytes, or the object, where they were applied.
        OutcomeRule(.lost, FaultTarget.bodies, once: .recovers, each: .recovers),
        OutcomeRule(.lost, once: .recovers, each: .exhausts),
        OutcomeRule(.refused, once: .refused, each: .refused),
        OutcomeRule(.unsettled, FaultTarget.ofSession, once: .recovers, each: .exhausts),
        OutcomeRule(.unsettled, once: .refused, each: .refused),
        // A lost session is begun anew once, and the second one asks nothing.
        OutcomeRule(.gone, [.uploadQuery], once: .renews, each: .renews),
        OutcomeRule(.gone, FaultTarget.bodies, once: .renews, each: .refused),
        OutcomeRule(.gone, once: .refused, each: .refused),
        OutcomeRule(.stale, once: .renews, each: .refused),
        OutcomeRule(.untrusted, once: .fails(.unknown), each: .fails(.unknown)),
        OutcomeRule(
            .falsified, FaultTarget.content, once: .fails(.nonMatchingChecksum),
            each: .fails(.nonMatchingChecksum)),
        OutcomeRule(.falsified, once: .passes, each: .passes),
        // What is stored can be asked for, and what a session holds too.
        OutcomeRule(.senseless, FaultTarget.last, once: .renews, each: .renews),
        OutcomeRule(.senseless, FaultTarget.ofSession, once: .recovers, each: .exhausts),
        OutcomeRule(.senseless, once: .fails(.unknown), each: .fails(.unknown)),
        OutcomeRule(.overclaimed, once: .fails(.unknown), each: .fails(.unknown)),
        OutcomeRule(.untold, [.uploadQuery], once: .recovers, each: .exhausts),
        OutcomeRule(.untold, FaultTarget.bodies, once: .renews, each: .renews),
        OutcomeRule(.misfit, once: .recovers, each: .exhausts),
        OutcomeRule(.replaced, once: .renews, each: .renews),
        OutcomeRule(.undecided, once: .undecided, each: .undecided),
    ]

    /// - Parameter isEach: the fault comes at each request.
    package static func outcome(
        of kind: FaultClass, at target: FaultTarget, isEach: Bool
    ) -> FaultOutcome {
        guard let rule = all.first(where: { $0.kind == kind && $0.targets.contains(target) })
        else { return .undecided }
        return isEach ? rule.each : rule.once
    }
}

extension FaultOutcome {
    /// What the operation does, as the verb of a title.
    var verb: String {
        switch self {
        case .passes: "gets through as if nothing were wrong"
        case .recovers: "succeeds after another try"
        case .renews: "succeeds without a wait"
        case .exhausts: "is tried again until its limit"
        case .refused: "fails at once"
        case .fails(let code): "fails with \(code.rawValue)"
        case .undecided: "ends in one way or the other"
        }
    }
}
