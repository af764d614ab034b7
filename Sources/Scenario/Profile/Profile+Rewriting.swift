import EventMatching

extension Profile {
    /// The same scenario with what is to be expected of a client of this profile.
    ///
    /// Pure. What cannot be computed exactly leaves the scenario out, with the reason.
    package func rewriting(_ planned: PlannedScenario) -> PlannedScenario {
        var planned = planned
        var draft = RewriteDraft(planned.scenario, traits)
        for trait in Self.order where traits.text(trait) != Traits.documented.text(trait) {
            let before = draft
            do throws(LeftOut) { try Self.apply(trait, &draft) } catch {
                draft = before
                planned.skipReason =
                    planned.skipReason ?? "profile \(name), \(trait.rawValue): \(error.reason)"
                continue
            }
            planned.rewrites += ExpectationText(draft.scenario).changes(
                from: ExpectationText(before.scenario),
                cause: "\(trait.rawValue): \(traits.text(trait))")
        }
        if planned.skipReason == nil, let row = GeneratedMatrix.row(planned.id) {
            planned.skipReason = RowLimit.reason(for: row, self).map { "profile \(name), \($0)" }
        }
        addInvariants(&draft.scenario)
        merge(&planned, &draft.scenario)
        if planned.skipReason == nil { planned.scenario = draft.scenario }
        planned.retryHabit = traits.retries
        return planned
    }

    /// What happens on the wire first, for the events follow from it; error codes last.
    private static let order: [Trait] = [
        .checksum, .smallUpload, .chunks, .refusedToken, .queryFailure, .refusedWhileActive,
        .afterBreak, .retries,
        .downloadResume, .cancelWhilePaused, .cancelCommand, .exhausted, .cancelledEvent,
        .pauseEvent, .memoryPause, .progressUnit, .progressTotal, .closingProgress, .startEvent,
        .lateObserver,
        .progressEvents, .errorNames,
    ]

    private static func apply(
        _ trait: Trait, _ draft: inout RewriteDraft
    ) throws(LeftOut) {
        switch trait {
        case .startEvent: try StartEventRewriting.apply(&draft)
        case .closingProgress: try ClosingProgressRewriting.apply(&draft)
        case .progressEvents: try ProgressEventsRewriting.apply(&draft)
        case .progressUnit: try ProgressUnitRewriting.apply(&draft)
        case .progressTotal: try ProgressTotalRewriting.apply(&draft)
        case .pauseEvent: try PauseEventRewriting.apply(&draft)
        case .memoryPause: try MemoryPauseRewriting.apply(&draft)
        case .refusedToken: try RefusedTokenRewriting.apply(&draft)
        case .cancelledEvent: try CancelledEventRewriting.apply(&draft)
        case .cancelWhilePaused: try CancelWhilePausedRewriting.apply(&draft)
        case .cancelCommand: try CancelCommandRewriting.apply(&draft)
        case .lateObserver: try LateObserverRewriting.apply(&draft)
        case .retries:
            try RetryRewriting.apply(.retries, &draft)
            try WaitsRewriting.apply(&draft)
        case .afterBreak, .queryFailure, .refusedWhileActive:
            try RetryRewriting.apply(trait, &draft)
        case .exhausted: try ExhaustedRewriting.apply(&draft)
        case .checksum: try ChecksumRewriting.apply(&draft)
        case .smallUpload: try SmallUploadRewriting.apply(&draft)
        case .chunks: try ChunksRewriting.apply(&draft)
        case .downloadResume: try DownloadResumeRewriting.apply(&draft)
        case .errorNames: try ErrorNamesRewriting.apply(&draft)
        }
    }

    /// Invariants that the profile itself switches off.
    private func addInvariants(_ scenario: inout ScenarioFile) {
        guard let invariants else { return }
        let old = scenario.expect.invariants
        let reasons = [old?.value.why, invariants.why].compactMap { $0 }
        scenario.expect.invariants = Placed(
            InvariantExceptions(
                invariants.invariants.union(old?.value.invariants ?? []),
                why: reasons.joined(separator: "; ")),
            old?.place ?? scenario.title.place)
    }

    /// The scenario's own blocks for this profile and its bases, which are for exceptions alone.
    ///
    /// `skip: null` takes back that the scenario is left out: the block then says what holds instead of
    /// what could not be computed.
    private func merge(_ planned: inout PlannedScenario, _ scenario: inout ScenarioFile) {
        for name in lineage {
            for block in planned.scenario.profiles where block.name == name {
                let before = ExpectationText(scenario)
                scenario.expect.merge(block)
                planned.rewrites += ExpectationText(scenario).changes(
                    from: before, cause: "profiles.\(name)")
                if let reason = block.skip {
                    planned.skipReason = "profile \(name): \(reason)"
                } else if block.removed.contains(["skip"]) {
                    planned.skipReason = nil
                }
            }
        }
    }
}
