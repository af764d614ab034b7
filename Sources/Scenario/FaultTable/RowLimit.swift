import StorageModel

/// Where habits of a profile reach a generated row, and what then comes cannot be computed: the row is left
/// out with the reason. Everything else is computed, as for any scenario.
struct RowLimit: Sendable {
    let reason: String
    let applies: @Sendable (FaultRow, Profile) -> Bool

    private init(_ reason: String, _ applies: @escaping @Sendable (FaultRow, Profile) -> Bool) {
        self.reason = reason
        self.applies = applies
    }

    /// Why a profile leaves a row out; nil: it does not.
    static func reason(for row: FaultRow, _ profile: Profile) -> String? {
        all.first { $0.applies(row, profile) }?.reason
    }

    static let all = byTraits + byCuts + ofApple

    private static let byTraits: [RowLimit] = [
        RowLimit(
            "download-resume: the fault is about the range that is missing, and this client asks for none"
        ) { row, profile in
            profile.traits.downloadResume != .range && row.target == .downloadResumed
                && [.misfit, .replaced].contains(row.kind)
        },
        RowLimit(
            "retries: whether this client tries again what is no HTTP is not told"
        ) { row, profile in
            profile.traits.retries != RetryHabit()
                && [.transport(.malformed), .transport(.oversizedHead)].contains(row.fault.cause)
        },
        RowLimit(
            "retries: what the server answers for a while (423, 507) is not tried again by this client"
        ) { row, profile in
            let retries = profile.traits.retries
            return row.does("session: {lock") && !retries.retries(423)
                || row.does("full: true") && row.kind == .passing && !retries.retries(507)
        },
        RowLimit(
            "retries: whether this client needs another connection, which is refused, is not told"
        ) { row, profile in
            row.does("refuse: 5s") && row.kind == .harmless
                && !profile.traits.retries.retries(.refused)
        },
        RowLimit(
            "query-failure: which answers to a query this client takes for none is not told"
        ) { row, profile in
            profile.traits.queryFailure == .fatal && row.target == .uploadQuery
                && ([.unsettled, .untold, .senseless].contains(row.kind)
                    || row.does("length: none"))
        },
        RowLimit(
            "retries: the answer takes longer than silence may last, and how long this client then tries "
                + "is not told"
        ) { row, profile in
            row.does("delay: 100s") && profile.traits.retries != RetryHabit()
        },
    ]

    private static let byCuts: [RowLimit] = [
        RowLimit(
            "chunks: how often a body that this client cuts itself is tried again is not told"
        ) { row, profile in
            FaultTarget.bodies.contains(row.target) && row.outcome == .exhausts
                && (profile.traits.chunks != .settable
                    || profile.traits.retries.waits != RetryHabit().waits)
        },
        RowLimit(
            "checksum: whether this client notices that bytes are missing is not told"
        ) { row, profile in
            profile.traits.checksum == .unchecked && row.kind == .falsified
                && row.does("length: -")
        },
    ]

    /// What no trait is about.
    private static let ofApple: [RowLimit] = [
        ofApple("a session that is gone after the last body has lost its upload") { row in
            row.does("session: expire") && row.kind == .lost
        },
        ofApple("a server that asks for the same wait each time is asked without end") { row in
            row.fault.wait != nil && row.outcome == .exhausts
        },
        ofApple(
            "a delete that was carried out, and whose answer is lost, is told as objectNotFound"
        ) {
            $0.target == .delete && $0.kind == .lost
        },
        ofApple("the last body's answer is its metadata, or an error: nobody asks for it") { row in
            FaultTarget.last.contains(row.target) && row.kind == .senseless
        },
        ofApple("a session that is refused and still active is asked, whatever the status") { row in
            FaultTarget.bodies.contains(row.target) && row.does("upload-status: active")
                && row.kind == .refused
        },
    ]

    private static func ofApple(
        _ habit: String, _ applies: @escaping @Sendable (FaultRow) -> Bool
    ) -> RowLimit {
        RowLimit(habit) { row, profile in profile.lineage.contains("apple") && applies(row) }
    }
}

extension FaultRow {
    fileprivate func does(_ words: String) -> Bool { fault.action?.contains(words) == true }
}
