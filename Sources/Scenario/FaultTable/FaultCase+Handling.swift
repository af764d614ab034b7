import StorageModel

// Whether a request is carried out, and what is said of it.
extension FaultCase {
    private static let beforeCommit: [String?] = ["before-commit"]

    /// A status in place of the answer.
    private static func status(
        _ fault: String, _ status: Int, _ answer: String? = nil,
        at phases: [String?] = beforeCommit,
        on targets: Set<FaultTarget> = FaultTarget.everywhere,
        _ change: (inout FaultCase) -> Void = { _ in }
    ) -> FaultCase {
        FaultCase(
            fault, "{respond: \(answer ?? String(status))}", at: phases,
            FaultClass(status: status), .status(status), on: targets, change)
    }

    static let statuses: [FaultCase] = plainStatuses + otherStatuses

    private static let plainStatuses: [FaultCase] = [
        302, 400, 402, 403, 404, 405, 409, 410, 412, 418, 500, 501, 502, 503, 504, 599,
    ].map { status("status-instead", $0, at: ["request-head", "before-commit"]) }

    private static let otherStatuses: [FaultCase] = [
        status("status-instead", 400, at: ["request-body 50%"]),
        status("status-instead", 502, "{preset: gateway-page}"),
        unsettled(400), unsettled(409), unsettled(412),
        refusedThoughActive(402), refusedThoughActive(403),
        FaultCase(
            "status-instead", "{respond: {status: 400, upload-status: final}}",
            at: beforeCommit, .refused, .status(400), on: FaultTarget.ofSession),
        FaultCase(
            "status-instead", "{respond: 503}", at: after, .lost, .status(503)),
        FaultCase("status-after", "{respond: 503}", at: after, .lost, .status(503)),
        FaultCase(
            "status-after", "{respond: 429}", at: after, .lost, .status(429),
            on: FaultTarget.everywhere.subtracting([.delete])),
        // Who is told that he came too often has no reason to take the object for deleted.
        FaultCase("status-after", "{respond: 429}", at: after, .undecided, on: [.delete]),
        FaultCase("status-after", "{respond: 403}", at: after, .refused, .status(403)),
        FaultCase("permission-denied", preset("permission-denied"), .refused, .status(403)),
        status("not-found", 404, "{preset: object-not-found}"),
        status("not-found", 404, "{preset: bucket-not-found}"),
        status("not-found", 410, "{preset: session-gone}"),
        status("try-later", 408), status("try-later", 429), status("try-later", 423),
        status("try-later", 503, "{preset: unavailable}"),
        status("try-later", 429, "{preset: rate-limited}"),
        waiting(429, "4s"), waiting(503, "4s"), waiting(503, "{date: 4s}"),
        status("conflict", 409), status("conflict", 412),
        status("over-quota", 413), status("over-quota", 402, "{preset: quota-exceeded}"),
    ]

    private static func preset(_ name: String) -> String { "{respond: {preset: \(name)}}" }

    private static func unsettled(_ status: Int) -> FaultCase {
        FaultCase(
            "status-instead", "{respond: {status: \(status), upload-status: active}}",
            at: ["request-head", "before-commit"], .unsettled, .status(status))
    }

    private static func refusedThoughActive(_ status: Int) -> FaultCase {
        FaultCase(
            "status-instead", "{respond: {status: \(status), upload-status: active}}",
            at: beforeCommit, .refused, .status(status), on: FaultTarget.ofSession)
    }

    private static func waiting(_ code: Int, _ time: String) -> FaultCase {
        status("try-later", code, "{status: \(code), retry-after: \(time)}") { $0.wait = "4s" }
    }

    static let handling: [FaultCase] = [
        FaultCase("lost-answer", "{drop: answer}", .lost, .transport(.closed)),
        FaultCase(
            "lost-answer", "{disconnect: reset}", at: ["after-commit"], .lost,
            .transport(.reset)),
        FaultCase(
            "lost-answer", "{disconnect: close}", at: ["after-commit"], .lost,
            .transport(.closed)),
        FaultCase("lost-answer", "silence", at: ["after-commit"], .lost, .transport(.timedOut)),
        FaultCase(
            "lost-answer", "{stall: forever}", at: ["after-commit"], .lost,
            .transport(.timedOut)),
        FaultCase(
            "false-success", "{respond: 200}", at: beforeCommit, .senseless, .status(200),
            on: [.uploadStart, .uploadQuery, .metadata, .metadataUpdate, .list]),
        FaultCase(
            "false-success", "{respond: 200}", at: beforeCommit, .undecided,
            on: FaultTarget.bodies.union(FaultTarget.downloads).union([.delete])),
        FaultCase(
            "false-success", "{drop: chunk}", .broken, .transport(.closed),
            on: FaultTarget.bodies),
        FaultCase(
            "expired-token", preset("token-expired"), at: beforeCommit, .stale, .status(401)
        ) {
            $0.backend = "access: signed-in, tokens: {old: {}, fresh: {}}"
            $0.client = "token: {script: [{give: old}, {give: fresh}]}"
        },
        FaultCase(
            "expired-token", "{token: {expire: old}}", at: ["request-head"], .stale,
            .status(401), on: FaultTarget.first
        ) {
            $0.backend = "access: signed-in, tokens: {old: {}, fresh: {}}"
            $0.client = "token: {script: [{give: old}, {give: fresh}]}"
            $0.repetitions = [.once]
        },
        // It was looked at when the head was read, and the next requests of a session need none.
        FaultCase(
            "expired-token", "{token: {expire: old}}", at: beforeCommit, .harmless,
            on: FaultTarget.first
        ) {
            $0.backend = "access: signed-in, tokens: {old: {}, fresh: {}}"
            $0.client = "token: {script: [{give: old}, {give: fresh}]}"
            $0.repetitions = [.once]
        },
        FaultCase(
            "expired-token", preset("unauthenticated"), at: beforeCommit, .refused,
            .status(401)),
        FaultCase("redirect", "{redirect: self}", .refused, .status(307)),
        FaultCase("redirect", "{redirect: /elsewhere}", .refused, .status(307)),
        FaultCase("redirect", "{redirect: {times: 3}}", .refused, .status(307)) {
            $0.repetitions = [.once]
        },
    ]

    static let session: [FaultCase] = [
        FaultCase(
            "lost-session", "{session: expire}", at: before, .gone, .status(404),
            on: FaultTarget.ofSession),
        FaultCase(
            "lost-session", "[{session: expire}, {disconnect: reset}]", at: before, .gone,
            .status(404), on: FaultTarget.bodies
        ) { $0.repetitions = [.once] },
        FaultCase(
            "lost-session", "[{session: expire}, {disconnect: reset}]", at: after, .lost,
            .transport(.reset), on: FaultTarget.last
        ) { $0.repetitions = [.once] },
        FaultCase(
            "lost-session", "{session: cancel}", at: before, .refused, .status(400),
            on: FaultTarget.bodies),
        FaultCase(
            "lost-session", "{session: cancel}", at: ["before-commit"], .undecided,
            on: [.uploadQuery]),
        FaultCase(
            "lost-session", "{session: {lock: 5s}}", at: ["request-head"], .passing, .status(423),
            on: FaultTarget.ofSession
        ) {
            $0.repetitions = [.once]
            $0.tries = "2..6"
        },
        FaultCase(
            "lost-session", "{session: {lock: 100s}}", at: ["request-head"], .passing, .status(423),
            on: FaultTarget.ofSession
        ) {
            $0.lasts = true
            $0.tries = "1..6"
        },
        // The session is not asked again.
        FaultCase(
            "lost-session", "{session: expire}", at: after + inside + end, .harmless,
            on: FaultTarget.last),
        FaultCase(
            "lying-session", "{session: {claim: 1MiB}}", at: before, .overclaimed,
            on: [.uploadQuery]
        ) { $0.repetitions = [.once] },
        // The next body that is taken sets it right.
        FaultCase(
            "lying-session", "{session: {claim: 1MiB}}",
            at: ["request-body 50%"] + after + end, .harmless, on: [.uploadChunk]
        ) { $0.repetitions = [.once] },
        FaultCase(
            "lying-session", "{session: {claim: 1MiB}}", at: inside, .harmless,
            on: FaultTarget.last),
        told("Size-Received", "\"1048576\"", .overclaimed, [.uploadChunk, .uploadQuery]),
        FaultCase(
            "lying-session", "{headers: {remove: [X-Goog-Upload-Status]}}", .untold,
            on: FaultTarget.ofSession),
        FaultCase(
            "lying-session", "{headers: {remove: [X-Goog-Upload-Size-Received]}}", .untold,
            on: [.uploadQuery]),
        FaultCase(
            "lying-session", "{headers: {remove: [X-Goog-Upload-Status]}}", .senseless,
            .status(200), on: [.uploadStart]),
        told("Status", "active", .untold, FaultTarget.last),
        told("Status", "final", .senseless, [.uploadStart], .status(200)),
        told("Status", "cancelled", .senseless, [.uploadStart], .status(200)),
        told("Status", "cancelled", .undecided, FaultTarget.ofSession),
        told("Status", "final", .undecided, [.uploadChunk, .uploadQuery]),
        FaultCase(
            "session-address", "{headers: {remove: [X-Goog-Upload-URL]}}", .senseless,
            .status(200), on: [.uploadStart]),
        FaultCase(
            "session-address", "{headers: {rename: {X-Goog-Upload-URL: X-Address}}}", .senseless,
            .status(200), on: [.uploadStart]),
        told("URL", "nowhere", .senseless, [.uploadStart], .status(200), "session-address"),
        told(
            "URL", "\"ftp://127.0.0.1/\"", .senseless, [.uploadStart], .status(200),
            "session-address"),
        FaultCase(
            "session-address",
            "{headers: {set: {X-Goog-Upload-URL: \"http://127.0.0.1:9/\"}}}", .broken,
            .transport(.refused), on: [.uploadStart]
        ) { $0.lasts = true },
        told("Chunk-Granularity", "\"-5\"", .harmless, [.uploadStart], nil, "odd-granularity"),
        told("Chunk-Granularity", "many", .harmless, [.uploadStart], nil, "odd-granularity"),
        told("Chunk-Granularity", "\"10000\"", .undecided, [.uploadStart], nil, "odd-granularity"),
        FaultCase(
            "odd-granularity", "{headers: {remove: [X-Goog-Upload-Chunk-Granularity]}}",
            .harmless, on: [.uploadStart]),
        FaultCase("odd-granularity", nil, .harmless, on: FaultTarget.uploads) {
            $0.backend = "granularity: 64KiB"
            $0.repetitions = [.each]
        },
        FaultCase("partial-commit", nil, at: ["before-commit"], .untold, on: FaultTarget.bodies) {
            $0.commit = "50%"
            $0.repetitions = [.once]
            $0.tries = "2..3"
        },
        FaultCase(
            "partial-commit", "{disconnect: reset}", at: ["request-body 75%"], .broken,
            .transport(.reset), on: FaultTarget.bodies
        ) {
            $0.commit = "64KiB"
            $0.repetitions = [.once]
        },
        FaultCase(
            "lost-bytes", "[{session: {lose: 256KiB}}, {respond: 503}]", at: before, .passing,
            .status(503), on: FaultTarget.bodies.subtracting([.uploadWhole])
        ) {
            $0.repetitions = [.once]
            $0.tries = "2..4"
        },
        FaultCase(
            "lost-bytes", "[{session: {lose: 256KiB}}, {disconnect: reset}]",
            at: ["request-head"], .broken, .transport(.reset),
            on: FaultTarget.bodies.subtracting([.uploadWhole])
        ) { $0.tries = "2..6" },
        FaultCase(
            "lost-bytes", "[{session: {lose: 256KiB}}, {disconnect: reset}]",
            at: ["before-commit"], .broken, .transport(.reset), on: [.uploadLast]
        ) { $0.tries = "2..6" },
        // The next body does not fit, and the query tells why.
        FaultCase(
            "lost-bytes", "{session: {lose: 256KiB}}", at: after + end, .broken, .status(400),
            on: [.uploadChunk]
        ) { $0.tries = "2..12" },
        FaultCase(
            "lost-bytes", "{session: {lose: 256KiB}}", at: inside, .harmless,
            on: FaultTarget.last),
        FaultCase(
            "applied-twice", nil, at: ["before-commit"], .overclaimed, on: [.uploadChunk]
        ) { $0.commit = "twice" },
        FaultCase(
            "applied-twice", nil, at: ["before-commit"], .overclaimed, on: [.uploadChunk]
        ) { $0.commit = "+4KiB" },
        FaultCase(
            "applied-twice", "{disconnect: reset}", at: ["request-body 50%"], .overclaimed,
            on: FaultTarget.bodies
        ) {
            $0.wait = "1s"
            $0.commit = "+4MiB"
            $0.repetitions = [.once]
        },
    ]

    /// A field of a session's answer is set.
    private static func told(
        _ field: String, _ value: String, _ kind: FaultClass, _ targets: Set<FaultTarget>,
        _ cause: FaultCause? = nil, _ fault: String = "lying-session"
    ) -> FaultCase {
        FaultCase(
            fault, "{headers: {set: {X-Goog-Upload-\(field): \(value)}}}", kind, cause,
            on: targets)
    }
}
