extension TransferTable {
    /// The life of a transfer as the product pages tell it (rules D14 to D25).
    ///
    /// A pause is told once the exchange stands still and it is known how many bytes are safe. What
    /// ends while it is about to pause has ended. A cancel is told at once, a pause before the start
    /// once the start has been told.
    package static let documented = TransferTable(sights: documentedSights)
        .with(
            .waiting, .held, .released,
            rows: [
                .startInVain: .to(.failed, .tellFailure),
                .cancel: .to(.cancelled, .tellFailure),
            ]
        )
        .with(
            .waiting,
            rows: [
                .start: .to(.running, .begin, .tellResume),
                .pause: .to(.held),
            ]
        )
        .with(
            .held,
            rows: [
                .start: .to(.paused, .tellResume, .tellPause),
                .resume: .to(.released),
            ]
        )
        .with(
            .released,
            rows: [
                .start: .to(.running, .tellResume, .tellPause, .begin, .tellResume),
                .pause: .to(.held),
            ]
        )
        .with(
            .running, .pausing, .resuming, .finishing,
            rows: [
                .finish: .to(.finishing),
                .succeeded: .to(.succeeded, .tellRest, .tellSuccess),
                .failed: .to(.failed, .tellFailure),
                .exceeded: .to(.cancelled, .tellFailure),
            ]
        )
        .with(
            .running, .pausing, .resuming, .paused,
            rows: [
                .cancel: .to(.cancelled, .abandon, .tellFailure)
            ]
        )
        .with(
            .running,
            rows: [
                .progressed: .to(.running, .tellRise),
                .pause: .to(.pausing, .halt),
            ]
        )
        .with(
            .pausing,
            rows: [
                .resume: .to(.resuming),
                .stopped: .to(.paused, .tellPause),
            ]
        )
        .with(
            .resuming,
            rows: [
                .pause: .to(.pausing),
                .stopped: .to(.running, .tellPause, .begin, .tellResume),
            ]
        )
        .with(
            .paused,
            rows: [
                .resume: .to(.running, .begin, .tellResume)
            ])

    /// An observer hears what happens from then on, and of the end even if it comes too late for it.
    private static let documentedSights: [Phase: Sight] = [
        .waiting: Sight(status: .unknown),
        .held: Sight(status: .unknown),
        .released: Sight(status: .unknown),
        .running: Sight(status: .resume, later: .progress),
        .pausing: Sight(status: .pause),
        .resuming: Sight(status: .pause),
        .paused: Sight(status: .pause),
        .finishing: Sight(status: .resume, later: .progress),
        .succeeded: Sight(replays: [.success], status: .success),
        .failed: Sight(replays: [.failure], status: .failure),
        .cancelled: Sight(replays: [.failure], status: .failure),
    ]
}
