package import CloudStorage

// Mistakes in the life of a task: which call and which report does what.
extension Mutants {
    /// The same row changed for uploads and for both kinds of downloads.
    package static func life(
        _ name: String, _ mistake: String, breaks rules: [String], says: [String]...,
        change: @escaping @Sendable (inout TransferTable) -> Void
    ) -> Mutant {
        Mutant(
            name, mistake, breaks: rules, says: says,
            .behaviour { behaviour in
                change(&behaviour.life.upload)
                change(&behaviour.life.fileDownload)
                change(&behaviour.life.memoryDownload)
            })
    }

    private static let ends: [TransferTable.Phase] = [.running, .pausing, .resuming, .finishing]
    static let life: [Mutant] = tellings + endings

    private static let tellings: [Mutant] = [
        life(
            "start-untold", "tells nobody that a transfer starts", breaks: ["D17"],
            says: ["resume never came"]
        ) { $0[.waiting, .start] = .to(.running, .begin) },
        life(
            "start-told-twice", "tells the start of a transfer twice", breaks: ["D17"],
            says: ["resume came", "without a pause before it"], ["resume came twice"]
        ) { $0[.waiting, .start] = .to(.running, .begin, .tellResume, .tellResume) },
        life(
            "resume-untold", "goes on after a pause without saying so", breaks: ["D17"],
            says: ["resume never came"]
        ) { $0[.paused, .resume] = .to(.running, .begin) },
        life(
            "pause-untold", "stands still without saying so", breaks: ["D19"],
            says: ["pause never came"], ["up pause"]
        ) { $0[.pausing, .stopped] = .to(.paused) },
        life(
            "pause-told-twice", "tells a pause twice", breaks: ["D19"],
            says: ["pause came twice"]
        ) { $0[.pausing, .stopped] = .to(.paused, .tellPause, .tellPause) },
        life(
            "progress-untold", "tells no progress but the last", breaks: ["D18"],
            says: ["progress", "never came"]
        ) { $0[.running, .progressed] = .to(.running) },
        life(
            "progress-told-twice", "tells each progress twice", breaks: ["D18"],
            says: ["progress", "came twice"]
        ) { $0[.running, .progressed] = .to(.running, .tellRise, .tellAgain) },
        life(
            "last-progress-untold", "succeeds without telling the last bytes",
            breaks: ["D18"], says: ["progress", "never came"]
        ) { table in
            for phase in ends { table[phase, .succeeded] = .to(.succeeded, .tellSuccess) }
        },
        life(
            "progress-while-paused", "tells progress once it is paused", breaks: ["D19"],
            says: ["progress", "pause"]
        ) { $0[.pausing, .stopped] = .to(.paused, .tellPause, .tellAgain) },
    ]

    private static let endings: [Mutant] = [
        life(
            "success-before-last-progress", "tells the success before the last bytes",
            breaks: ["D18", "D20"], says: ["success came"]
        ) { table in
            for phase in ends {
                table[phase, .succeeded] = .to(.succeeded, .tellSuccess, .tellRest)
            }
        },
        life(
            "success-untold", "never tells a success", breaks: ["D20"], says: ["not ended"]
        ) { table in
            for phase in ends { table[phase, .succeeded] = .to(.succeeded, .tellRest) }
        },
        life(
            "failure-untold", "never tells a failure", breaks: ["D20"], says: ["not ended"]
        ) { table in
            for phase in ends { table[phase, .failed] = .to(.failed) }
        },
        life(
            "vain-start-untold", "tells nobody that a transfer cannot even begin",
            breaks: ["D4", "D9"], says: ["not ended"]
        ) { table in
            for phase in [TransferTable.Phase.waiting, .held, .released] {
                table[phase, .startInVain] = .to(.failed)
            }
        },
        life(
            "limit-untold", "never says that an object is larger than allowed", breaks: ["D11"],
            says: ["not ended"]
        ) { table in
            for phase in ends { table[phase, .exceeded] = .to(.cancelled) }
        },
    ]
}
