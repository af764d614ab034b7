import StorageModel

// The answer: when it comes, its head, and how its body travels.
extension FaultCase {
    private static let atHead: [String?] = ["response-head"]

    static let answerBreaks: [FaultCase] = [
        FaultCase("empty-answer", "{disconnect: close}", at: empty, .broken),
        FaultCase(
            "empty-answer", "{disconnect: reset}", at: empty, .broken, .transport(.reset)),
        FaultCase("empty-answer", "silence", at: empty, .broken, .transport(.timedOut)),
        FaultCase("empty-answer", "{disconnect: close}", at: after, .lost, .transport(.closed)),
        FaultCase("empty-answer", "{disconnect: reset}", at: after, .lost, .transport(.reset)),
        FaultCase("empty-answer", "silence", at: after, .lost, .transport(.timedOut)),
    ]

    private static let empty: [String?] = ["request-head", "before-commit"]

    /// Bytes instead of an answer, before and after the request is applied.
    private static func raw(
        _ fault: String, _ text: String, _ ending: String, _ cause: FaultCause?
    ) -> [FaultCase] {
        let action = "[{raw: {\(text)}}, {disconnect: \(ending)}]"
        return [
            FaultCase(fault, action, at: ["request-head", "before-commit"], .broken, cause),
            FaultCase(fault, action, at: after, .lost, cause),
        ]
    }

    static let head: [FaultCase] =
        [slowAnswers, answerBreaks, raws, oddHeads, oddLengths, oddChunks].flatMap { $0 }

    private static let slowAnswers: [FaultCase] = [
        FaultCase("slow-answer", "{delay: 2s}", at: every, .harmless) {
            $0.repetitions = [.once]
        },
        FaultCase("slow-answer", "{delay: 300ms}", at: every, .harmless),
        FaultCase("slow-answer", "{delay: {uniform: [1s, 3s]}}", .harmless),
        FaultCase("slow-answer", "{delay: 100s}", at: after, .lost, .transport(.timedOut)),
        FaultCase("late-body", "{delay: 2s}", at: inside, .harmless),
        FaultCase("late-body", "{delay: 100s}", at: inside, .lost) {
            $0.repetitions = [.once]
        },
    ]

    private static let raws: [FaultCase] = [
        raw("cut-head", #"text: "HTTP/1.1 200 OK\r\nContent-Le""#, "close", .transport(.cut)),
        raw("cut-head", #"text: "HTTP/1.1 200 OK\r\nContent-Le""#, "reset", .transport(.reset)),
        raw("cut-head", #"text: "HTTP/1.1 2""#, "close", nil),
        raw("garbage", "base64: \"AAECAwQFBgcICQ==\"", "close", .transport(.malformed)),
        raw(
            "garbage", #"text: "this is no status line\r\n\r\n""#, "close",
            .transport(.malformed)),
        raw(
            "malformed-head", #"text: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n""#,
            "close", .transport(.malformed)),
        raw(
            "malformed-head", #"text: "HTTP/1.1 200 OK\r\nno colon\r\n\r\n""#, "close",
            .transport(.malformed)),
    ].flatMap { $0 }

    private static let oddHeads: [FaultCase] = [
        FaultCase(
            "garbage", "[{raw: {text: \"hello\"}}, {disconnect: close}]", at: ["connect"],
            .broken, .transport(.malformed)),
        FaultCase(
            "malformed-head", "{headers: {set: {X-Filler: {size: 512KiB}}}}", .lost,
            .transport(.oversizedHead)),
        FaultCase("malformed-head", "{interim: [102, 103]}", .harmless),
        FaultCase("malformed-head", "{headers: {duplicate: [Content-Length]}}", .harmless),
        FaultCase("malformed-head", "{headers: {set: {X-Odd: \"a: b; c\"}}}", .harmless),
    ]

    private static let oddLengths: [FaultCase] = [
        // All bytes come, and a first range behind the last one is refused.
        FaultCase(
            "length-too-long", "{length: +100}", .lost, .transport(.cut),
            on: [.download, .downloadToMemory]
        ) {
            $0.tries = "2..7"
            $0.changesTotal = true
        },
        FaultCase("length-too-long", "{length: +100}", .misfit, on: [.downloadResumed]) {
            $0.changesTotal = true
            $0.tries = "3..7"
        },
        FaultCase(
            "length-too-long", "{length: +100}", .lost, .transport(.cut),
            on: FaultTarget.withAnswerBody.subtracting(FaultTarget.downloads)),
        FaultCase(
            "length-too-short", "{length: -100}", .falsified,
            on: [.download, .downloadToMemory]),
        FaultCase("length-too-short", "{length: -100}", .misfit, on: [.downloadResumed]) {
            $0.repetitions = [.once]
        },
        FaultCase(
            "length-too-short", "{length: -100}", .senseless,
            on: FaultTarget.withJSON.subtracting([.list])),
        FaultCase("length-too-short", "{length: -10}", .senseless, on: [.list]),
        FaultCase("length-too-short", "{length: none}", .harmless),
    ]

    private static let oddChunks: [FaultCase] = [
        FaultCase(
            "broken-chunks", "{framing: bad-chunk-size}", .lost, .transport(.malformed),
            on: FaultTarget.withAnswerBody
        ) { $0.tries = "1..7" },
        FaultCase(
            "broken-chunks", "{framing: missing-last-chunk}", .lost, .transport(.cut),
            on: FaultTarget.withAnswerBody
        ) { $0.tries = "1..7" },
        FaultCase(
            "broken-chunks", "{framing: bytes-after-last}", .harmless,
            on: FaultTarget.withAnswerBody),
        FaultCase(
            "broken-chunks", "{framing: with-trailer}", .harmless,
            on: FaultTarget.withAnswerBody),
        FaultCase(
            "broken-chunks", "{framing: lost-chunk}", .falsified,
            on: [.download, .downloadToMemory]),
        FaultCase(
            "broken-chunks", "{framing: doubled-chunk}", .falsified,
            on: [.download, .downloadToMemory]),
        FaultCase("broken-chunks", "{framing: lost-chunk}", .undecided, on: [.downloadResumed]),
        FaultCase(
            "broken-chunks", "{framing: doubled-chunk}", .undecided, on: [.downloadResumed]),
        FaultCase(
            "broken-chunks", "{framing: doubled-chunk}", .senseless, on: FaultTarget.withJSON),
    ]

    static let body: [FaultCase] = [cuts, stalls, paces, corruptions].flatMap { $0 }

    private static let cuts: [FaultCase] = [
        ("close", FaultCause.transport(.cut)), ("reset", .transport(.reset)),
    ]
    .flatMap { how, cause in
        [
            FaultCase("cut-download", "{disconnect: \(how)}", at: inside, .lost, cause) {
                $0.repetitions = [.once]
            },
            FaultCase(
                "cut-download", "{disconnect: \(how)}", at: ["response-body 0"], .lost, cause),
        ]
    }

    private static let stalls: [FaultCase] = ["silence", "{stall: forever}"].flatMap { how in
        [
            FaultCase("stalled-download", how, at: inside, .lost) { $0.repetitions = [.once] },
            FaultCase(
                "stalled-download", how, at: ["response-body 0"], .lost, .transport(.timedOut)),
        ]
    }

    private static let paces: [FaultCase] = [
        FaultCase("stalled-download", "{stall: 2s}", at: inside, .harmless),
        FaultCase(
            "slow-download", "{throttle: 64KiB/s}", at: atHead + inside, .harmless,
            on: FaultTarget.withAnswerBody),
        FaultCase(
            "dribble", "{slice: {size: 20000, gap: 100ms}}", at: atHead + inside, .harmless,
            on: FaultTarget.withAnswerBody),
    ]

    private static let corruptions: [FaultCase] = [
        corrupt("{flip: 1}", "response-body 50%", FaultTarget.downloads),
        corrupt("{random: 10}", "response-body 50%", FaultTarget.downloads),
        corrupt("{zero: 10}", "response-body 50%", FaultTarget.downloads),
        corrupt("{flip: 1}", "request-body 50%", FaultTarget.bodies),
        corrupt("{random: 10}", "request-body 50%", FaultTarget.bodies),
        corrupt("{zero: 10}", "request-body 50%", FaultTarget.bodies),
        FaultCase(
            "corruption", "{corrupt: {drop: 10}}", at: ["request-body 50%"], .undecided,
            on: FaultTarget.bodies),
        FaultCase(
            "corruption", "{corrupt: {insert: 10}}", at: ["request-body 50%"], .undecided,
            on: FaultTarget.bodies),
        FaultCase(
            "corruption", "{corrupt: {drop: 10}}", at: inside, .undecided,
            on: FaultTarget.downloads),
        FaultCase(
            "corruption", "{corrupt: {duplicate: 10}}", at: inside, .undecided,
            on: FaultTarget.downloads),
    ]

    private static func corrupt(
        _ how: String, _ phase: String, _ targets: Set<FaultTarget>
    ) -> FaultCase {
        FaultCase("corruption", "{corrupt: \(how)}", at: [phase], .falsified, on: targets)
    }
}
