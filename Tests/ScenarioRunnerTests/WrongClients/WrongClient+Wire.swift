import EventMatching
import RunModel
import StorageModel

// Mistakes that are made on the wire, or that change what is sent.
extension WrongClient {
    static let wire: [WrongClient] = [
        WrongClient(
            "does not ask where it was after a break",
            in: "partial/broken-in-a-chunk[how=close,kept=none]", .exchanges,
            says: "none of upload.query came",
            mistake: Mistake(onTheWire: .asksNothing)),
        WrongClient(
            "sends a refused request once more",
            in: "errmap/upload-refused[match=upload.start,case=2]", .exchanges,
            says: "2 of upload.* with status 403 came, 1 expected",
            mistake: Mistake(onTheWire: .repeats(status: 403))),
        WrongClient(
            "does not try again", in: "retry/one-unavailable-download[status=503]", .events,
            says: "ended with failure(retryLimitExceeded", "instead of success",
            mistake: Mistake(settings: { $0.maxDownloadRetryTime = .zero })),
        WrongClient(
            "does not read how much of a chunk was kept", in: "partial/acknowledged-in-part",
            .requests, says: "upload.finalize", "upload.chunk offset=256KiB was expected",
            mistake: Mistake(onTheWire: .readsNoSize)),
        WrongClient(
            "starts each upload twice", in: "upload/data-in-one-request", .requests,
            says: "upload.start (request 2)", mistake: Mistake(onTheWire: .startsTwice)),
        WrongClient(
            "loads everything again after a break", in: "midstream/three-times", .progress,
            says: "progress fell 3 times", mistake: Mistake(onTheWire: .ignoresRange)),
        WrongClient(
            "begins a request after the cancel", in: "cancel/running-download[when=down progress]",
            breaks: .silentAfterCancel, says: "download", "after the cancelled failure",
            mistake: Mistake(onTheWire: .goesOn(after: .seconds(1)))),
        WrongClient(
            "begins a body in the instant of the cancel",
            in: "cancel/at-every-moment[when=wire upload.body#2 request-head]",
            breaks: .silentAfterCancel, says: "upload.", "after the cancelled failure",
            mistake: Mistake(onTheWire: .goesOn(after: .zero))),
        WrongClient(
            "says a wrong offset", in: "observer/one-status", breaks: .noComplaint,
            says: "offset-mismatch", "upload.chunk",
            mistake: Mistake(onTheWire: .shiftsOffset(by: 256 << 10))),
        WrongClient(
            "sends a body a second time", in: "observer/one-status", breaks: .noComplaint,
            says: "offset-mismatch", "upload.chunk",
            mistake: Mistake(onTheWire: .sendsAgain(body: 2))),
        WrongClient(
            "does not tell the server that it cancelled", in: "cancel/while-paused", .sessions,
            says: "open upload sessions: 1, 0 expected",
            mistake: Mistake(onTheWire: .keepsCancelToItself)),
        WrongClient(
            "does not keep to its retry time", in: "retry/limit-reached", .time,
            says: "up", "45s",
            mistake: Mistake(settings: { $0.maxUploadRetryTime = .seconds(300) })),
        WrongClient(
            "sends everything in one request", in: "partial/more-than-was-sent", .unfiredFault,
            says: "never fired", "upload.chunk#1", verdict: .void,
            mistake: Mistake(settings: { $0.chunkSize = nil })),
    ]
}
