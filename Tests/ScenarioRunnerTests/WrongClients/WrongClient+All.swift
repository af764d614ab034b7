import EventMatching
import RunModel

extension WrongClient {
    static let all = events + invariants + wire + fieldCases

    private static let oneRequest = "upload/data-in-one-request"
    /// Its own expectations let much pass.
    private static let patient = "pause/as-often-as-you-like"

    private static let events: [WrongClient] = [
        WrongClient("start-untold", in: oneRequest, .events, says: "resume never came"),
        WrongClient(
            "one-progress-left-out", in: "upload/file-in-chunks", .events,
            says: "progress@512KiB never came"),
        WrongClient(
            "progress-told-twice", in: "retry/one-unavailable[match=upload.chunk#1,status=503]",
            .events, says: "progress", "came twice"),
        WrongClient(
            "start-told-twice", in: "download/into-memory", .events,
            says: "resume came", "without a pause before it"),
        WrongClient(
            "success-before-last-progress", in: "upload/file-in-chunks", .events,
            says: "success came"),
        WrongClient(
            "progress-after-success", in: "download/into-memory", .events,
            says: "progress", "after", "success"),
        WrongClient(
            "error-called-unknown", in: "errmap/upload-refused[match=upload.start,case=2]", .error,
            says: "unauthorized", "unknown"),
        WrongClient(
            "error-called-unknown", in: "download/replaces-a-file[case=2]", .events,
            says: "failed with unknown", "objectNotFound"),
        WrongClient("pause-ignored", in: "pause/in-a-callback", .events, says: "pause never came"),
        WrongClient(
            "cancel-ignored", in: "cancel/running-download[when=down progress >= 50%]", .events,
            says: "failure(cancelled)", "success"),
        WrongClient("success-untold", in: oneRequest, .deadlock, says: "up", "not ended"),
        WrongClient(
            "upload-never-answered", in: oneRequest, .deadlock,
            says: "the client never answered 'upload'"),
        WrongClient(
            "completion-never-called", in: oneRequest, .deadlock,
            says: "the completion of up was never called"),
        WrongClient(
            "completes-without-end", in: oneRequest, .deadlock,
            says: "up completed without a terminal event"),
        WrongClient("dies", in: oneRequest, .client, says: "killed by signal 11"),
        WrongClient(
            "half-of-the-metadata", in: "metadata/get", .result,
            says: "got: contentType is absent"),
        WrongClient(
            "observer-not-removed", in: "observer/removed-by-handle", .events,
            says: "one:", "progress"),
        WrongClient(
            "other-bytes-in-the-file", in: "download/into-a-file", .local,
            says: "the local file has 3 bytes"),
        WrongClient(
            "success-without-request", in: "pause/after-the-end", .stored,
            says: "docs/plan.pdf", "is not stored"),
        WrongClient(
            "success-without-stored-metadata", in: oneRequest, .metadata, says: "metadata"),
    ]

    /// The scenario's own expectations let these pass.
    private static let invariants: [WrongClient] = [
        WrongClient(
            "success-told-twice", in: patient, breaks: .oneTerminal, says: "twice", "success"),
        WrongClient(
            "fails-after-success", in: patient, breaks: .oneTerminal,
            says: "two terminal events", "success", "failure"),
        WrongClient(
            "late-progress-after-end", in: patient, breaks: .nothingAfter,
            says: "progress", "after the end", "success"),
        WrongClient(
            "completion-called-twice", in: patient, breaks: .completion,
            says: "completion", "2 times"),
        WrongClient(
            "completion-with-error-after-success", in: patient, breaks: .completion,
            says: "completion said failure(unknown)", "success"),
        WrongClient(
            "progress-beyond-total", in: patient, breaks: .progressBounds,
            says: "progress", "of 1 MiB"),
        WrongClient(
            "progress-backwards", in: patient, breaks: .progressMonotone, says: "down from"),
        WrongClient(
            "total-changes", in: patient, breaks: .progressTotal,
            says: "total changed from 1 MiB", "to 2 MiB"),
        WrongClient(
            "late-progress-while-paused", in: patient, breaks: .quietWhilePaused,
            says: "progress", "pause"),
        WrongClient(
            "pause-told-twice", in: patient, breaks: .alternation,
            says: "pause came twice", "resume"),
        WrongClient(
            "other-bytes-uploaded", in: "observer/one-status", breaks: .storedBytes,
            says: "no generation at rest equals its source", "differs from byte 0"),
        WrongClient(
            "other-bytes-in-the-file", in: patient, breaks: .storedBytes,
            says: "equal no generation"),
        WrongClient(
            "partial-file-left", in: "cancel/paused-download", breaks: .noPartialFile,
            says: "it failed, but its destination is there"),
        WrongClient(
            "request-after-cancel", in: "cancel/running-download[when=down progress]",
            breaks: .silentAfterCancel, says: "download", "after the cancelled failure"),
        WrongClient(
            "body-at-the-cancel",
            in: "cancel/at-every-moment[when=wire upload.body#2 request-head]",
            breaks: .silentAfterCancel, says: "upload.", "after the cancelled failure"),
        WrongClient(
            "offset-too-large", in: "observer/one-status", breaks: .noComplaint,
            says: "offset-mismatch", "upload.chunk"),
        WrongClient(
            "chunk-sent-again", in: "observer/one-status", breaks: .noComplaint,
            says: "offset-mismatch", "upload.chunk"),
    ]

    private static let wire: [WrongClient] = [
        WrongClient(
            "query-skipped", in: "partial/broken-in-a-chunk[how=close,kept=none]", .exchanges,
            says: "none of upload.query came"),
        WrongClient(
            "refused-request-repeated", in: "errmap/upload-refused[match=upload.start,case=2]",
            .exchanges, says: "2 of upload.* with status 403 came, 1 expected"),
        WrongClient(
            "no-tries", in: "retry/one-unavailable-download[status=503]", .events,
            says: "ended with failure(retryLimitExceeded", "instead of success"),
        WrongClient(
            "kept-size-unread", in: "partial/acknowledged-in-part", .requests,
            says: "upload.finalize", "upload.chunk offset=256KiB was expected"),
        WrongClient(
            "upload-started-twice", in: oneRequest, .requests, says: "upload.start (request 2)"),
        WrongClient(
            "range-missing", in: "midstream/three-times", .progress, says: "progress fell 3 times"),
        WrongClient(
            "cancel-kept-to-itself", in: "cancel/while-paused", .sessions,
            says: "open upload sessions: 1, 0 expected"),
        WrongClient(
            "retry-time-not-kept", in: "retry/limit-reached", .time, says: "up", "45s"),
        WrongClient(
            "chunk-size-ignored", in: "partial/more-than-was-sent", .unfiredFault,
            says: "never fired", "upload.chunk#1", verdict: .void),
    ]
}
