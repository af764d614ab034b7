import CloudStorage

// Mistakes in what pause, resume and cancel do, and in what late observers hear.
extension Mutants {
    private static let cancellable: [TransferTable.Phase] = [
        .running, .pausing, .resuming, .paused,
    ]

    static let lateCalls: [Mutant] = pauses + cancels + sights

    private static let pauses: [Mutant] = [
        life(
            "pause-ignored", "goes on when it is asked to pause", breaks: ["D14", "D19"],
            says: ["pause never came"]
        ) { $0[.running, .pause] = nil },
        life(
            "early-pause-ignored", "ignores a pause before the start", breaks: ["D14"],
            says: ["pause never came"], ["without a pause"]
        ) { $0[.waiting, .pause] = nil },
        life(
            "resume-ignored", "stays paused when it is asked to go on", breaks: ["D14", "D17"],
            says: ["resume"], ["not ended"], ["paused"]
        ) { $0[.paused, .resume] = nil },
        life(
            "early-resume-ignored", "ignores a resume while it is still about to pause",
            breaks: ["D14"], says: ["resume"], ["not ended"], ["paused"]
        ) { $0[.pausing, .resume] = nil },
        life(
            "pause-without-stop", "says that it is paused and transfers on",
            breaks: ["D14", "D19"],
            says: ["pause"], ["after the pause"]
        ) { $0[.running, .pause] = .to(.running, .tellPause) },
        life(
            "resume-without-begin", "says that it goes on and does nothing",
            breaks: ["D14"], says: ["not ended"]
        ) { $0[.paused, .resume] = .to(.running, .tellResume) },
        life(
            "second-pause-lost", "forgets a pause that comes after a resume, while it stops",
            breaks: ["D14"], says: ["pause"], ["nothing more was expected"]
        ) { $0[.resuming, .pause] = nil },
    ]

    private static let cancels: [Mutant] = [
        life(
            "cancel-ignored", "goes on when it is cancelled", breaks: ["D14", "D15"],
            says: ["failure(cancelled)"]
        ) { table in for phase in cancellable { table[phase, .cancel] = nil } },
        life(
            "paused-cancel-ignored", "ignores a cancel while it is paused", breaks: ["D14", "D15"],
            says: ["failure(cancelled)"], ["not ended"], ["is paused"]
        ) { $0[.paused, .cancel] = nil },
        life(
            "pausing-cancel-ignored", "ignores a cancel while it is about to pause",
            breaks: ["D14", "D15"],
            says: ["failure(cancelled)"], ["not ended"], ["is paused"], ["cancelled"]
        ) { $0[.pausing, .cancel] = nil },
        life(
            "early-cancel-ignored", "ignores a cancel before the start", breaks: ["D14", "D15"],
            says: ["failure(cancelled)"]
        ) { $0[.waiting, .cancel] = nil },
        life(
            "cancel-untold", "never says that it was cancelled", breaks: ["D15"],
            says: ["not ended"], ["failure(cancelled)"]
        ) { table in for phase in cancellable { table[phase, .cancel] = .to(.cancelled, .abandon) }
        },
        life(
            "cancel-without-stop", "says that it was cancelled and transfers on",
            breaks: ["D14", "D15", "W11"], says: ["after the cancelled failure"],
            ["open upload sessions"],
            ["upload.cancel"], ["is stored"]
        ) { table in
            for phase in cancellable { table[phase, .cancel] = .to(.cancelled, .tellFailure) }
        },
        life(
            "cancel-taken-for-success", "takes a cancel for a success", breaks: ["D15", "D20"],
            says: ["success"]
        ) { table in
            for phase in cancellable {
                table[phase, .cancel] = .to(.succeeded, .abandon, .tellSuccess)
            }
        },
    ]

    private static let sights: [Mutant] = [
        life(
            "late-observer-of-success-untold", "tells an observer that comes late no success",
            breaks: ["D20"], says: ["late"], ["success"]
        ) { $0[.succeeded].replays = [] },
        life(
            "late-observer-of-failure-untold", "tells an observer that comes late no failure",
            breaks: ["D20"], says: ["late"], ["failure"]
        ) { $0[.failed].replays = [] },
        life(
            "late-observer-of-cancel-untold", "tells an observer that comes late no cancel",
            breaks: ["D15", "D20"], says: ["late"], ["failure"]
        ) { $0[.cancelled].replays = [] },
        life(
            "paused-shown-as-running", "shows a paused task as one that runs", breaks: ["D21"],
            says: ["pause"]
        ) { $0[.paused].status = .progress },
        life(
            "success-shown-as-progress", "shows a task that succeeded as one that runs",
            breaks: ["D21"], says: ["success"]
        ) { $0[.succeeded].status = .progress },
    ]
}
