extension TransferTable {
    // The lives of transfers as the SDK for Apple platforms lives them.
    //
    // Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageUploadTask.swift`,
    // `StorageDownloadTask.swift` and `StorageObservableTask.swift`.

    /// What is the same for uploads and downloads: the start is told to nobody, a pause or a resume
    /// before it at once; the last progress is told once more before the end, unless the program ends
    /// the transfer itself.
    private static let appleCommon = TransferTable(sights: appleSights)
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
                .start: .to(.running, .begin),
                .pause: .to(.held, .tellPause),
                .resume: .to(.released, .tellResume),
            ]
        )
        .with(
            .held,
            rows: [
                .start: .to(.paused),
                .resume: .to(.released, .tellResume),
            ]
        )
        .with(
            .released,
            rows: [
                .start: .to(.running, .begin),
                .pause: .to(.held, .tellPause),
            ]
        )
        .with(
            .running, .finishing,
            rows: [
                .finish: .to(.finishing),
                .succeeded: .to(.succeeded, .tellRest, .tellAgain, .tellSuccess),
                .failed: .to(.failed, .tellAgain, .tellFailure),
                .exceeded: .to(.cancelled, .tellFailure),
            ]
        )
        .with(
            .running, .pausing, .resuming, .paused,
            rows: [.cancel: .to(.cancelled, .abandon, .tellFailure)]
        )
        .with(
            .running,
            rows: [
                .progressed: .to(.running, .tellRise),
                .pause: .to(.pausing, .halt),
            ]
        )
        .with(.paused, rows: [.resume: .to(.running, .begin, .tellResume)])

    /// An upload is paused for its observers as soon as it is asked. What its exchange comes to until it
    /// stands still counts for nothing: the server is asked when the upload goes on.
    static let appleUpload =
        appleCommon
        .with(.running, rows: [.pause: .to(.pausing, .halt, .tellPause)])
        .with(
            .pausing,
            rows: [
                .resume: .to(.resuming, .tellResume),
                .stopped: .to(.paused),
                .succeeded: .to(.paused),
                .failed: .to(.paused),
                .exceeded: .to(.paused),
            ]
        )
        .with(
            .resuming,
            rows: [
                .pause: .to(.pausing, .tellPause),
                .stopped: .to(.running, .begin),
                .succeeded: .to(.running, .begin),
                .failed: .to(.running, .begin),
                .exceeded: .to(.running, .begin),
            ])

    /// A download to a file is paused once there is something to go on with; a resume before that is
    /// told without a pause. A success meanwhile is one, a failure is told to nobody.
    static let appleFileDownload =
        appleCommon
        .with(
            .pausing,
            rows: [
                .resume: .to(.running, .begin, .tellResume),
                .stopped: .to(.paused, .tellPause),
                .finish: .to(.finishing),
                .succeeded: .to(.succeeded, .tellRest, .tellAgain, .tellSuccess),
                .failed: .to(.pausing),
            ])

    /// A download into memory never has anything to go on with: its pause is told to nobody.
    static let appleMemoryDownload = appleFileDownload.without(.pausing, .stopped)

    /// An observer hears at once what the transfer is about, but nothing of a cancel.
    private static let appleSights: [Phase: Sight] = [
        .waiting: Sight(status: .unknown),
        .held: Sight(replays: [.pause], status: .pause),
        .released: Sight(replays: [.resume, .progress], status: .resume),
        .running: Sight(replays: [.resume, .progress], status: .resume),
        .pausing: Sight(replays: [.pause], status: .pause),
        .resuming: Sight(replays: [.resume, .progress], status: .resume),
        .paused: Sight(replays: [.pause], status: .pause),
        .finishing: Sight(replays: [.resume, .progress], status: .resume),
        .succeeded: Sight(replays: [.success], status: .success),
        .failed: Sight(replays: [.failure], status: .failure),
        .cancelled: Sight(status: .failure),
    ]
}
