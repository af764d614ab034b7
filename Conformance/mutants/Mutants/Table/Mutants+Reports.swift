import ClientDriver
import StorageModel

// Mistakes in what is told, and in what is done of what was asked: no table of the client holds these.
extension Mutants {
    private static func tells(
        _ name: String, _ mistake: String, breaks rules: [String], says: [String]...,
        telling: @escaping Mistake.Telling
    ) -> Mutant {
        Mutant(name, mistake, breaks: rules, says: says, .reports(Mistake(telling: telling)))
    }

    private static func hears(
        _ name: String, _ mistake: String, breaks rules: [String], says: [String]...,
        hearing: @escaping @Sendable (ClientCommand) -> Mistake.Obedience
    ) -> Mutant {
        Mutant(name, mistake, breaks: rules, says: says, .reports(Mistake(hearing: hearing)))
    }

    static let reports: [Mutant] = progress + endings + completions + commands + bytes

    private static let progress: [Mutant] = [
        tells(
            "one-progress-left-out", "leaves out its second progress", breaks: ["D18"],
            says: ["progress", "never came"]
        ) { report, before in
            report.event?.kind == .progress && before.count(.progress) == 1 ? [] : [report]
        },
        tells(
            "progress-beyond-total", "reports more bytes than there are", breaks: ["D18"],
            says: ["progress", "of 1 MiB"], ["progress-bounds"]
        ) { report, before in
            changingSecondProgress(report, before) { event in
                event.completed = (event.total ?? 0) + 1
            }
        },
        tells(
            "progress-backwards", "counts backwards", breaks: ["D18"], says: ["down from"]
        ) { report, before in
            changingSecondProgress(report, before) { $0.completed = 1 }
        },
        tells(
            "total-changes", "changes its mind about the size", breaks: ["D18"],
            says: ["total changed"]
        ) { report, before in
            changingSecondProgress(report, before) { event in
                event.total = (event.total ?? 0) * 2
            }
        },
        tells(
            "late-progress-while-paused", "reports progress a while after its pause",
            breaks: ["D19"], says: ["progress", "pause"]
        ) { report, before in
            guard report.event?.kind == .pause, let last = before.lastProgress.first else {
                return [report]
            }
            return [report, .later(.seconds(5), last)]
        },
        tells(
            "late-progress-after-end", "reports progress a while after its end",
            breaks: ["D20", "D25"],
            says: ["progress", "after the end"]
        ) { report, before in
            guard report.event?.kind == .success, let last = before.lastProgress.first else {
                return [report]
            }
            return [report, .later(.seconds(1), last)]
        },
        tells(
            "error-called-unknown", "calls every error unknown", breaks: ["D26"],
            says: ["unknown"]
        ) { report, _ in changingError(report) { $0.code = .unknown } },
        tells(
            "answer-not-kept", "keeps nothing of the server's answer on an error",
            breaks: ["D26"], says: ["status"], ["body"], ["underlying"]
        ) { report, _ in
            changingError(report) { error in
                error.status = nil
                error.body = nil
            }
        },
    ]

    private static let endings: [Mutant] = [
        tells(
            "progress-after-success", "tells progress after its success", breaks: ["D20", "D25"],
            says: ["progress", "after"]
        ) { report, before in
            report.event?.kind == .success ? [report] + before.lastProgress : [report]
        },
        tells(
            "success-told-twice", "tells a success twice", breaks: ["D20"],
            says: ["success", "twice"], ["two terminal events"]
        ) { report, _ in report.event?.kind == .success ? [report, report] : [report] },
        tells(
            "failure-told-twice", "tells a failure twice", breaks: ["D15", "D20"],
            says: ["failure", "twice"], ["two terminal events"]
        ) { report, _ in report.event?.kind == .failure ? [report, report] : [report] },
        tells(
            "fails-after-success", "tells a failure after its success", breaks: ["D20"],
            says: ["failure", "success"]
        ) { report, _ in
            guard case .event(let event, let task) = report, event.kind == .success else {
                return [report]
            }
            let failure = event.with {
                $0.kind = .failure
                $0.error = ClientError(code: .unknown)
            }
            return [report, .event(failure, task: task)]
        },
    ]

    private static let completions: [Mutant] = [
        tells(
            "completion-never-called", "never calls a completion", breaks: ["D6"],
            says: ["completion"]
        ) { report, _ in report.isCompletion ? [] : [report] },
        tells(
            "completion-called-twice", "calls a completion twice", breaks: ["D6"],
            says: ["completion", "2 times"]
        ) { report, _ in report.isCompletion ? [report, .later(.seconds(1), report)] : [report] },
        tells(
            "completion-with-error-after-success",
            "completes a transfer that succeeded with an error", breaks: ["D6"],
            says: ["completion said failure"]
        ) { report, _ in
            guard case .completion(var completion, let task) = report else { return [report] }
            completion.error = ClientError(code: .unknown)
            return [.completion(completion, task: task)]
        },
        tells(
            "completes-without-end", "calls its completion and tells no end", breaks: ["D20"],
            says: ["without a terminal event"], ["not ended"]
        ) { report, _ in report.event?.kind.isTerminal == true ? [] : [report] },
        tells(
            "success-without-stored-metadata", "tells no metadata with its success",
            breaks: ["D6", "D22"], says: ["metadata"]
        ) { report, _ in
            switch report {
            case .event(let event, let task):
                return [.event(event.with { $0.metadata = nil }, task: task)]
            case .completion(let completion, let task):
                return [.completion(TaskCompletion(error: completion.error), task: task)]
            case .file, .later: return [report]
            }
        },
    ]

    private static let commands: [Mutant] = [
        hears(
            "upload-never-answered", "does not return from the call that starts an upload",
            breaks: ["D5"], says: ["never answered 'upload'"]
        ) { command in if case .upload = command.verb { .hangs } else { .obeys(command) } },
        hears(
            "dies", "ends its own process with an upload", breaks: ["D5"],
            says: ["killed by signal 11"]
        ) { command in if case .upload = command.verb { .dies } else { .obeys(command) } },
        hears(
            "half-of-the-metadata", "gives half of an object's metadata",
            breaks: ["D8", "D13", "W32"],
            says: ["is absent"]
        ) { command in
            guard case .getMetadata = command.verb else { return .obeys(command) }
            return .answers(.result(.metadata(["name": "notes/a.txt"])))
        },
        hears(
            "observer-not-removed", "goes on calling an observer that was removed",
            breaks: ["D24"], says: ["events: "]
        ) { command in if case .unobserve = command.verb { .ignores } else { .obeys(command) } },
        hears(
            "observer-of-everything", "calls an observer of one event for every event",
            breaks: ["D16"], says: ["events: "]
        ) { command in
            guard case .observe(var observe) = command.verb else { return .obeys(command) }
            observe.events = TransferEvent.Kind.allCases
            return .obeys(
                ClientCommand(.observe(observe), on: command.on, instance: command.instance))
        },
        hears(
            "url-leads-nowhere", "gives a download URL that fetches nothing",
            breaks: ["D7", "D10", "W36"],
            says: ["fetch"], ["url"], ["status"]
        ) { command in
            guard case .fetch(let url, let path) = command.verb else { return .obeys(command) }
            let wrong = url.replacing("token=", with: "token=x")
            return .obeys(ClientCommand(.fetch(url: wrong, into: path), instance: command.instance))
        },
        hears(
            "reference-without-its-path", "takes the name of a reference for its whole path",
            breaks: ["D2", "D3"], says: ["path"], ["parent"]
        ) { command in
            guard case .reference = command.verb else { return .obeys(command) }
            let wrong = ClientResult.Reference(
                name: "stars.jpg", path: "stars.jpg", bucket: "demo.appspot.com", parent: "")
            return .answers(.result(.reference(wrong)))
        },
        hears(
            "image-without-placeholder", "shows nothing until an image is there", breaks: ["D29"],
            says: ["states"], ["placeholder"]
        ) { command in
            guard case .image(_, let path) = command.verb else { return .obeys(command) }
            return .answers(
                .result(.image(.init(states: ["image"], origin: "server", path: path))))
        },
        hears(
            "snapshot-task-is-none", "does nothing for the task of a snapshot", breaks: ["D23"],
            says: ["never came"], ["not ended"], ["cancelled"]
        ) { command in
            switch command.verb {
            case .pause(_, true), .resume(_, true), .cancel(_, true): .ignores
            default: .obeys(command)
            }
        },
        hears(
            "metadata-not-sent", "forgets the metadata that an upload is given",
            breaks: ["D8", "D22"], says: ["contentType"], ["custom"], ["metadata"]
        ) { command in
            guard case .upload(var upload) = command.verb else { return .obeys(command) }
            upload.metadata = nil
            return .obeys(
                ClientCommand(.upload(upload), on: command.on, instance: command.instance))
        },
        hears(
            "limit-of-memory-unchecked", "loads more into memory than is allowed",
            breaks: ["D11"], says: ["downloadSizeExceeded"]
        ) { command in
            guard case .download(var download) = command.verb,
                case .memory(_, let path) = download.target
            else { return .obeys(command) }
            download.target = .memory(maxSize: .max, into: path)
            return .obeys(
                ClientCommand(.download(download), on: command.on, instance: command.instance))
        },
        hears(
            "bucket-mixed-up", "uses the first storage for every other one", breaks: ["D1", "D3"],
            says: ["is not stored"], ["is stored"], ["objectNotFound"], ["token"], ["events"]
        ) { .obeys(ClientCommand($0.verb, on: $0.on)) },
        Mutant(
            "chunk-size-ignored", "sends everything in one request", breaks: ["D5"],
            says: [["upload.chunk"], ["upload.finalize"]],
            .reports(Mistake(settings: { $0.chunkSize = nil }))),
        Mutant(
            "no-tries", "tries nothing again", breaks: ["D26"],
            says: [["retryLimitExceeded"], ["failure"]],
            .reports(Mistake(settings: { $0.maxDownloadRetryTime = .zero }))),
        Mutant(
            "retry-time-not-kept", "tries longer than it was told to", breaks: ["D26"],
            says: [["time"], ["45s"], ["ended"]],
            .reports(Mistake(settings: { $0.maxUploadRetryTime = .seconds(300) }))),
    ]

    private static let bytes: [Mutant] = [
        hears(
            "success-without-request", "succeeds without sending anything",
            breaks: ["D5", "D20", "W9"],
            says: ["is not stored"]
        ) { command in
            guard case .upload(let upload) = command.verb else { return .ignores }
            return .invents(tale(upload.task))
        },
        hears(
            "other-bytes-uploaded", "uploads other bytes than it was given", breaks: ["D5"],
            says: ["differ"], ["no generation"]
        ) { command in
            guard case .upload(var upload) = command.verb,
                case .data(.source(let source)) = upload.source
            else { return .obeys(command) }
            upload.source = .data(.source(ShiftedBytes(source)))
            return .obeys(
                ClientCommand(.upload(upload), on: command.on, instance: command.instance))
        },
        tells(
            "other-bytes-in-the-file", "writes other bytes into the file than it downloaded",
            breaks: ["D10", "D12"], says: ["3 bytes"], ["equal no generation"]
        ) { report, before in
            guard report.event?.kind == .success, let path = before.destination else {
                return [report]
            }
            return [.file(path: path, [1, 2, 3]), report]
        },
        tells(
            "partial-file-left", "leaves a piece of a download that failed", breaks: ["D12"],
            says: ["its destination is there"], ["local"]
        ) { report, before in
            guard report.event?.kind == .failure, let path = before.destination else {
                return [report]
            }
            return [.file(path: path, [1, 2, 3]), report]
        },
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

    private static func changingSecondProgress(
        _ report: Mistake.Report, _ before: Mistake.History,
        _ change: (inout TransferEvent) -> Void
    ) -> [Mistake.Report] {
        guard case .event(let event, let name) = report, event.kind == .progress,
            before.count(.progress, of: name) == 1
        else { return [report] }
        return [.event(event.with(change), task: name)]
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

/// The bytes of another source, each one more than it was.
private struct ShiftedBytes: ByteSource {
    private let source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }

    var count: Int64 { source.count }

    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = source.copy(from: offset, into: buffer)
        for index in 0..<length { buffer[index] &+= 1 }
        return length
    }
}
