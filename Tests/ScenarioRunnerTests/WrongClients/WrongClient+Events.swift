import ClientDriver
import RunModel
import StorageModel

// Mistakes in what a client tells of its transfers.
extension WrongClient {
    static let events: [WrongClient] = [
        WrongClient(
            "leaves out the resume event", in: "upload/data-in-one-request", .events,
            says: "resume never came",
            mistake: Mistake(telling: { report, _ in
                report.event?.kind == .resume ? [] : [report]
            })),
        WrongClient(
            "leaves out one progress", in: "upload/file-in-chunks", .events,
            says: "progress@512KiB never came",
            mistake: Mistake(telling: { report, before in
                report.event?.kind == .progress && before.count(.progress) == 1 ? [] : [report]
            })),
        WrongClient(
            "reports a progress twice",
            in: "retry/one-unavailable[match=upload.chunk#1,status=503]",
            .events, says: "progress 512 KiB came twice",
            mistake: Mistake(telling: { report, before in
                report.event?.kind == .progress && before.count(.progress) == 1
                    ? [report, report] : [report]
            })),
        WrongClient(
            "reports resume twice at the start", in: "download/into-memory", .events,
            says: "resume came", "without a pause before it",
            mistake: Mistake(telling: { report, before in
                report.event?.kind == .resume && before.reports.isEmpty
                    ? [report, report] : [report]
            })),
        WrongClient(
            "reports success before the last progress", in: "upload/file-in-chunks", .events,
            says: "success came", "progress@1MiB was expected",
            mistake: Mistake(telling: { report, before in
                switch report.event?.kind {
                case .progress? where before.count(.progress) == 3: []
                case .success?: [report] + before.lastProgress
                default: [report]
                }
            })),
        WrongClient(
            "reports progress after the end", in: "download/into-a-file", .events,
            says: "progress", "after", "success",
            mistake: Mistake(telling: { report, before in
                report.event?.kind == .success
                    ? [report] + before.lastProgress : [report]
            })),
        WrongClient(
            "says another error code", in: "errmap/upload-refused[match=upload.start,case=2]",
            .error, says: "unauthorized", "unknown",
            mistake: Mistake(telling: { report, _ in changingError(report) { $0.code = .unknown } })
        ),
        WrongClient(
            "says another error code in the event", in: "download/replaces-a-file[case=2]",
            .events, says: "failed with unknown", "objectNotFound",
            mistake: Mistake(telling: { report, _ in changingError(report) { $0.code = .unknown } })
        ),
        WrongClient(
            "ignores a pause", in: "pause/in-a-callback", .events, says: "pause never came",
            mistake: Mistake(hearing: { command in
                if case .pause = command.verb { .ignores } else { .obeys(command) }
            })),
        WrongClient(
            "ignores a cancel", in: "cancel/running-download[when=down progress >= 50%]", .events,
            says: "failure(cancelled)", "success",
            mistake: Mistake(hearing: { command in
                if case .cancel = command.verb { .ignores } else { .obeys(command) }
            })),
        WrongClient(
            "never ends", in: "upload/data-in-one-request", .deadlock, says: "up", "not ended",
            mistake: Mistake(telling: { report, _ in
                report.isCompletion || report.event?.kind.isTerminal == true ? [] : [report]
            })),
        WrongClient(
            "never answers an upload", in: "upload/data-in-one-request", .deadlock,
            says: "the client never answered 'upload'",
            mistake: Mistake(hearing: { command in
                if case .upload = command.verb { .hangs } else { .obeys(command) }
            })),
        WrongClient(
            "never calls its completion", in: "upload/data-in-one-request", .deadlock,
            says: "the completion of up was never called",
            mistake: Mistake(telling: { report, _ in report.isCompletion ? [] : [report] })),
        WrongClient(
            "completes without a terminal event", in: "upload/data-in-one-request", .deadlock,
            says: "up completed without a terminal event",
            mistake: Mistake(telling: { report, _ in
                report.event?.kind.isTerminal == true ? [] : [report]
            })),
        WrongClient(
            "dies", in: "upload/data-in-one-request", .client, says: "killed by signal 11",
            mistake: Mistake(hearing: { command in
                if case .upload = command.verb { .dies } else { .obeys(command) }
            })),
        WrongClient(
            "answers with half of the metadata", in: "metadata/get", .result,
            says: "got: contentType is absent",
            mistake: Mistake(hearing: { command in
                guard case .getMetadata = command.verb else { return .obeys(command) }
                return .answers(.result(.metadata(["name": "notes/a.txt"])))
            })),
        WrongClient(
            "goes on calling a removed observer", in: "observer/removed-by-handle", .events,
            says: "one:", "progress",
            mistake: Mistake(hearing: { command in
                if case .unobserve = command.verb { .ignores } else { .obeys(command) }
            })),
        WrongClient(
            "writes other bytes into the file", in: "download/into-a-file", .local,
            says: "the local file has 3 bytes",
            mistake: Mistake(telling: { report, before in
                guard report.event?.kind == .success, let path = before.destination else {
                    return [report]
                }
                return [.file(path: path, [1, 2, 3]), report]
            })),
        WrongClient(
            "succeeds without a request", in: "pause/after-the-end", .stored,
            says: "docs/plan.pdf", "is not stored",
            mistake: Mistake(hearing: { command in
                guard case .upload(let upload) = command.verb else { return .ignores }
                return .invents(tale(upload.task))
            })),
        WrongClient(
            "tells no metadata with its success", in: "upload/data-in-one-request", .metadata,
            says: "metadata",
            mistake: Mistake(telling: { report, _ in
                switch report {
                case .event(let event, let task):
                    return [.event(event.with { $0.metadata = nil }, task: task)]
                case .completion(let completion, let task):
                    return [.completion(TaskCompletion(error: completion.error), task: task)]
                case .file, .later: return [report]
                }
            })),
    ]

    /// A success of 300 KiB as it should be told.
    private static func tale(_ task: String) -> [Mistake.Report] {
        let size: Int64 = 300 << 10
        return [
            .event(TransferEvent(kind: .resume, completed: 0, total: size), task: task),
            .event(TransferEvent(kind: .progress, completed: size, total: size), task: task),
            .event(TransferEvent(kind: .success, completed: size, total: size), task: task),
            .completion(TaskCompletion(), task: task),
        ]
    }

    private static func changingError(
        _ report: Mistake.Report, _ change: (inout ClientError) -> Void
    ) -> [Mistake.Report] {
        switch report {
        case .event(var event, let task):
            if var error = event.error {
                change(&error)
                event.error = error
            }
            return [.event(event, task: task)]
        case .completion(var completion, let task):
            if var error = completion.error {
                change(&error)
                completion.error = error
            }
            return [.completion(completion, task: task)]
        case .file, .later: return [report]
        }
    }
}
