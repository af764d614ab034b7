package import CloudStorage
import StorageModel

// Mistakes in what the client makes of answers and of breaks.
extension Mutants {
    /// What an answer with this status means, wherever it comes.
    package static func answer(
        _ name: String, _ mistake: String, _ status: Int, _ meaning: AnswerClass,
        at place: AnswerTable.Place = .anywhere, breaks rules: [String], says: [String]...
    ) -> Mutant {
        Mutant(
            name, mistake, breaks: rules, says: says,
            .behaviour {
                $0.retries.answers.rows.insert(AnswerTable.Row(status, meaning, at: place), at: 0)
            })
    }

    static let answers: [Mutant] = codes + tries + breaks

    private static let codes: [Mutant] = [
        answer(
            "forbidden-called-unknown", "calls a forbidden request an unknown error", 403,
            .refused(.unknown), breaks: ["D26", "D28"], says: ["unknown", "unauthorized"]),
        answer(
            "missing-called-unknown", "calls a missing object an unknown error", 404,
            .refused(.unknown), breaks: ["D26"], says: ["unknown", "objectNotFound"]),
        answer(
            "quota-called-unknown", "calls a used-up quota an unknown error", 402,
            .refused(.unknown), breaks: ["D26"], says: ["unknown", "quotaExceeded"]),
        answer(
            "unauthenticated-called-forbidden", "calls a refused token a forbidden request", 401,
            .refused(.unauthorized), breaks: ["D26", "D27"], says: ["unauthorized"]),
        answer(
            "bad-request-called-missing", "calls a bad request a missing object", 400,
            .refused(.objectNotFound), breaks: ["D26"], says: ["objectNotFound"]),
        Mutant(
            "limit-told-as-last-error",
            "ends its tries with the last error instead of the one for the limit", breaks: ["D26"],
            says: [["retryLimitExceeded"]],
            .behaviour { $0.retries.requests.tellsLastError = true }),
    ]

    private static let tries: [Mutant] = [
        answer(
            "token-not-renewed", "does not renew a token that is refused", 401,
            .refused(.unauthenticated), breaks: ["D27", "W21"],
            says: ["unauthenticated"], ["failure"]),
        Mutant(
            "token-renewed-without-end", "renews a token as often as it is refused",
            breaks: ["D26", "D27"], says: [["asked"], ["exchanges"], ["unauthenticated"]],
            .behaviour { $0.retries.renewals = .max }),
        answer(
            "forbidden-tried-again", "tries a forbidden request again", 403, .retried,
            breaks: ["D26", "W17"], says: ["unauthorized"]),
        answer(
            "missing-tried-again", "tries to get a missing object again and again", 404, .retried,
            breaks: ["D26", "W17"], says: ["objectNotFound"], ["sessionGone"]),
        answer(
            "unavailable-not-tried-again", "gives up when the server is unavailable for a moment",
            503, .refused(.unknown), breaks: ["D26", "W18"], says: ["unknown"]),
        answer(
            "too-many-not-tried-again", "gives up when it is told to come again later", 429,
            .refused(.unknown), breaks: ["D26", "W18"], says: ["unknown"]),
        answer(
            "timeout-not-tried-again", "gives up when the server waited too long for it", 408,
            .refused(.unknown), breaks: ["D26", "W18"], says: ["unknown"]),
        answer(
            "locked-not-tried-again", "gives up when its session is in use", 423,
            .refused(.unknown), breaks: ["D26", "W18"], says: ["unknown"]),
        answer(
            "gone-session-not-begun-anew", "gives up when its upload session has gone", 404,
            .refused(.objectNotFound), at: .session, breaks: ["D26", "W12"],
            says: ["objectNotFound"]),
        answer(
            "expired-session-not-begun-anew", "gives up when its upload session has expired", 410,
            .refused(.unknown), at: .session, breaks: ["D26", "W12"], says: ["unknown"]),
        answer(
            "refused-chunk-not-asked-about",
            "gives up when a chunk is refused while its session lives on", 400,
            .refused(.unknown), at: .session, breaks: ["D26", "W20"], says: ["unknown"]),
    ]

    private static func gives(
        up fault: TransportFault, _ name: String, _ mistake: String, says: [String]...,
        rules: [String] = []
    ) -> Mutant {
        Mutant(
            name, mistake, breaks: ["D26", "W18"] + rules, says: says,
            .behaviour { $0.retries.breaks.rows[fault]?.isRetried = false })
    }

    private static let breaks: [Mutant] = [
        gives(up: .reset, "reset-not-tried-again", "gives up at a reset", says: ["failure"]),
        gives(
            up: .closed, "close-not-tried-again", "gives up when a connection is closed",
            says: ["failure"], rules: ["W38"]),
        gives(
            up: .cut, "cut-not-tried-again", "gives up when an answer is cut off", says: ["failure"]
        ),
        gives(up: .timedOut, "silence-not-tried-again", "gives up at a silence", says: ["failure"]),
        gives(
            up: .refused, "refused-connection-not-tried-again",
            "gives up when no connection is taken", says: ["failure"]),
    ]
}
