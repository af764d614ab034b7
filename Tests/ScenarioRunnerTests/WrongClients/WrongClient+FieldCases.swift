import ClientDriver
import EventMatching
import Mutants
import RunModel
import StorageModel

// Mistakes that users have reported, each found by the scenario that was made from the report.
extension WrongClient {
    static let fieldCases: [WrongClient] = reported + requested + bounded

    private static let reported: [WrongClient] = [
        WrongClient(
            "never tells the end of what it cancelled (B001)",
            in: "cancel/b001-cancel-in-first-progress", .deadlock,
            says: "up", "not ended",
            mistake: Mistake(telling: { report, _ in
                report.event?.kind == .failure || report.isCompletion ? [] : [report]
            })),
        WrongClient(
            "calls a cancel unknown where the server knows no cancel (B005)",
            in: "cancel/b005-cancel-command-refused", .events, says: "unknown", "cancelled",
            mistake: Mistake(telling: { report, _ in
                recoding(report) { $0.code = .unknown }
            })),
        WrongClient(
            "writes its file again after the end (B009)", in: "cancel/b009-cancel-after-success",
            .local, says: "the local file is there",
            mistake: Mistake(telling: { report, before in
                guard report.event?.kind == .success, let path = before.destination else {
                    return [report]
                }
                return [report, .later(.seconds(2), .file(path: path, [1, 2, 3]))]
            })),
        WrongClient(
            "resumes by itself after a pause (B013)",
            in: "pause/b013-paused-download-stays-paused", .events, says: "resume",
            mistake: Mistake(telling: { report, _ in
                guard case .event(let event, let task) = report, event.kind == .pause else {
                    return [report]
                }
                let resume = event.with { $0.kind = .resume }
                return [report, .later(.seconds(5), .event(resume, task: task))]
            })),
        WrongClient(
            "takes an outage for a pause (B021)", in: "pause/b021-outage-is-not-a-pause", .events,
            says: "pause",
            mistake: Mistake(telling: { report, before in
                guard case .event(let event, let task) = report, event.kind == .progress,
                    before.count(.pause) == 0
                else { return [report] }
                let stop = event.with { $0.kind = .pause }
                let go = event.with { $0.kind = .resume }
                return [.event(stop, task: task), .event(go, task: task), report]
            })),
        WrongClient(
            "takes half an object for the whole (B146)",
            in: "earlyreply/b146-final-answer-in-mid-body", .events, says: "success", "failure",
            mistake: Mistake(telling: { report, _ in succeeding(report) })),
        WrongClient(
            "does not look at checksums (B151)", in: "integrity/b151-flipped-byte", .events,
            says: "success", "nonMatchingChecksum",
            mistake: Mistake(telling: { report, _ in succeeding(report) })),
        WrongClient(
            "keeps the cause to itself (B165)", in: "errmap/b165-accepted-and-closed", .error,
            says: "transport", "closed",
            mistake: Mistake(telling: { report, _ in
                recoding(report) { $0.transport = nil }
            })),
        WrongClient(
            "takes the rest for the total after a pause (B169)",
            in: "progress/b169-total-after-resume", .progress, says: "total",
            mistake: Mistake(telling: { report, before in
                guard case .event(let event, let task) = report, event.kind == .progress,
                    before.count(.resume) == 2
                else { return [report] }
                return [.event(event.with { $0.total = 786_432 }, task: task)]
            })),
    ]

    private static let requested: [WrongClient] = [
        WrongClient(
            "sends everything again without asking (B080)",
            in: "partial/b080-second-body-at-the-right-byte", .events, says: "instead of success",
            wire: .asksNothing),
        WrongClient(
            "asks again where the server said no for good (B104)",
            in: "retry/b104-final-refusal", .requests, says: "upload.finalize",
            wire: .repeats(status: 400)),
        WrongClient(
            "begins a second session for every upload (B043)",
            in: "session/b055-resume-with-everything-sent", .requests,
            says: "upload.start (request 2)", wire: .startsTwice),
    ]

    private static let bounded: [WrongClient] = [
        WrongClient(
            "does not keep to its limit in mid-upload (B039)",
            in: "offline/b039-limit-reached-is-reported", .time, says: "18s",
            mistake: Mistake(settings: { $0.maxUploadRetryTime = .seconds(300) })),
        WrongClient(
            "does not keep to its limit without a network (B037)",
            in: "offline/b037-short-download-limit-offline", .time, says: "3s",
            mistake: Mistake(settings: { $0.maxDownloadRetryTime = .seconds(60) })),
        WrongClient(
            "gives up at the first start that gets no answer (B155)",
            in: "harness/b155-two-starts-without-an-answer", .events,
            says: "instead of success",
            mistake: Mistake(settings: { $0.maxUploadRetryTime = .zero })),
        WrongClient(
            "gives up at the first silence (B157)",
            in: "harness/b157-silent-after-n-bytes[sent=65536]", .events,
            says: "instead of success",
            mistake: Mistake(settings: { $0.maxDownloadRetryTime = .zero })),
    ]

    /// Changes the error of an event and of a completion.
    private static func recoding(
        _ report: Mistake.Report, _ change: (inout ClientError) -> Void
    ) -> [Mistake.Report] {
        switch report {
        case .event(var event, let task):
            guard var error = event.error else { return [report] }
            change(&error)
            event.error = error
            return [.event(event, task: task)]
        case .completion(var completion, let task):
            guard var error = completion.error else { return [report] }
            change(&error)
            completion.error = error
            return [.completion(completion, task: task)]
        case .file, .later: return [report]
        }
    }

    /// Tells a failure as a success.
    private static func succeeding(_ report: Mistake.Report) -> [Mistake.Report] {
        switch report {
        case .event(let event, let task) where event.kind == .failure:
            let success = event.with {
                $0.kind = .success
                $0.error = nil
            }
            return [.event(success, task: task)]
        case .completion(var completion, let task):
            completion.error = nil
            return [.completion(completion, task: task)]
        case .event, .file, .later: return [report]
        }
    }
}
