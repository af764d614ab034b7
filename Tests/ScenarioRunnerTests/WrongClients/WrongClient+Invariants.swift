import ClientDriver
import EventMatching
import RunModel
import StorageModel

// Mistakes that the scenario's own expectations let pass: an invariant finds them.
extension WrongClient {
    private static let patient = "pause/as-often-as-you-like"

    static let invariants: [WrongClient] = endings + progress + pauses + bytes

    private static let endings: [WrongClient] = [
        WrongClient(
            "reports its success twice", in: patient, breaks: .oneTerminal,
            says: "twice", "success",
            mistake: Mistake(telling: { report, _ in
                report.event?.kind == .success ? [report, report] : [report]
            })),
        WrongClient(
            "fails after it succeeded", in: patient, breaks: .oneTerminal,
            says: "two terminal events", "success", "failure",
            mistake: Mistake(telling: { report, _ in
                guard case .event(let event, let task) = report, event.kind == .success else {
                    return [report]
                }
                let failure = event.with {
                    $0.kind = .failure
                    $0.error = ClientError(code: .unknown)
                }
                return [report, .event(failure, task: task)]
            })),
        WrongClient(
            "goes on reporting after the end", in: patient, breaks: .nothingAfter,
            says: "progress", "after the end", "success",
            mistake: Mistake(telling: { report, before in
                guard report.event?.kind == .success,
                    let last = before.lastProgress.first
                else { return [report] }
                return [report, .later(.seconds(1), last)]
            })),
        WrongClient(
            "calls its completion twice", in: patient, breaks: .completion,
            says: "completion", "2 times",
            mistake: Mistake(telling: { report, _ in
                report.isCompletion ? [report, .later(.seconds(1), report)] : [report]
            })),
        WrongClient(
            "completes with an error after a success", in: patient, breaks: .completion,
            says: "completion said failure(unknown)", "success",
            mistake: Mistake(telling: { report, _ in
                guard case .completion(var completion, let task) = report else { return [report] }
                completion.error = ClientError(code: .unknown)
                return [.completion(completion, task: task)]
            })),
    ]

    private static let progress: [WrongClient] = [
        WrongClient(
            "reports more bytes than there are", in: patient, breaks: .progressBounds,
            says: "progress", "of 1 MiB",
            mistake: Mistake(telling: { report, before in
                changing(report, when: before.count(.progress, of: "up") == 1) { event in
                    event.completed = (event.total ?? 0) + 1
                }
            })),
        WrongClient(
            "counts backwards", in: patient, breaks: .progressMonotone, says: "down from",
            mistake: Mistake(telling: { report, before in
                changing(report, when: before.count(.progress, of: "up") == 1) { event in
                    event.completed = 1
                }
            })),
        WrongClient(
            "counts a download backwards", in: patient, breaks: .progressMonotone,
            says: "down from",
            mistake: Mistake(telling: { report, before in
                changing(report, of: "down", when: before.count(.progress, of: "down") == 1) {
                    $0.completed = 1
                }
            })),
        WrongClient(
            "changes its mind about the total", in: patient, breaks: .progressTotal,
            says: "total changed from 1 MiB", "to 2 MiB",
            mistake: Mistake(telling: { report, before in
                changing(report, when: before.count(.progress, of: "up") == 1) { event in
                    event.total = (event.total ?? 0) * 2
                }
            })),
    ]

    private static let pauses: [WrongClient] = [
        WrongClient(
            "reports progress while it is paused", in: patient, breaks: .quietWhilePaused,
            says: "progress", "pause",
            mistake: Mistake(telling: { report, before in
                guard report.event?.kind == .pause,
                    let last = before.lastProgress.first
                else { return [report] }
                return [report, .later(.seconds(5), last)]
            })),
        WrongClient(
            "reports one pause twice", in: patient, breaks: .alternation,
            says: "pause came twice", "resume",
            mistake: Mistake(telling: { report, before in
                report.event?.kind == .pause && before.count(.pause) == 0
                    ? [report, .later(.seconds(1), report)] : [report]
            })),
    ]

    private static let bytes: [WrongClient] = [
        WrongClient(
            "uploads other bytes", in: "observer/one-status", breaks: .storedBytes,
            says: "no generation at rest equals its source", "differs from byte 0",
            mistake: Mistake(hearing: { command in
                guard case .upload(var upload) = command.verb,
                    case .data(.source(let source)) = upload.source
                else { return .obeys(command) }
                upload.source = .data(.source(ShiftedBytes(source)))
                var changed = command
                changed.verb = .upload(upload)
                return .obeys(changed)
            })),
        WrongClient(
            "hands over other bytes than it downloaded", in: patient, breaks: .storedBytes,
            says: "equal no generation",
            mistake: Mistake(telling: { report, _ in
                guard case .completion(let completion, _) = report,
                    case .file(let path)? = completion.content
                else { return [report] }
                return [.file(path: path, [1, 2, 3]), report]
            })),
        WrongClient(
            "leaves a piece of a cancelled download", in: "cancel/paused-download",
            breaks: .noPartialFile, says: "it failed, but its destination is there",
            mistake: Mistake(telling: { report, before in
                guard report.event?.kind == .failure, let path = before.destination else {
                    return [report]
                }
                return [.file(path: path, [1, 2, 3]), report]
            })),
    ]

    /// Changes a progress of a task.
    private static func changing(
        _ report: Mistake.Report, of name: String = "up", when isDue: Bool,
        _ change: (inout TransferEvent) -> Void
    ) -> [Mistake.Report] {
        guard isDue, case .event(let event, name) = report, event.kind == .progress else {
            return [report]
        }
        return [.event(event.with(change), task: name)]
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
