// Between the request and its answer: what is applied, and what is said of it.
extension FaultCatalogue {
    static let handling: [CatalogueFault] = [
        CatalogueFault(
            17, "lost-answer", "Everything is applied, and the client never hears of it.",
            [
                ("drop", "`answer`"),
                ("disconnect, silence, stall", "the same at `after-commit`, each with its own end"),
            ],
            at: ["after-commit"],
            [
                FaultExample(
                    "upload.media#1: drop answer", try: "put", sees: .empty),
                FaultExample(
                    "upload.media#1 @ after-commit: disconnect reset", try: "put", sees: .reset),
                FaultExample(
                    "upload.media#1 @ after-commit: silence", try: "put", sees: .timedOut),
            ],
            proofs: ["BreakFaultTests.dropAnswer", "EndFaultTests.aroundCommit"]),
        CatalogueFault(
            18, "false-success",
            "The answer says that it is done, and nothing was: only a comparison of sums shows it.",
            [
                ("respond", "an answer of success, given before anything is applied"),
                ("drop", "`chunk` loses a body without an answer"),
            ],
            at: ["before-commit"],
            [
                FaultExample("upload.media#1: respond 200", try: "put", sees: .answer(200)),
                FaultExample("upload.media#1: drop chunk", try: "put", sees: .empty),
            ],
            proofs: ["AnswerFaultTests.beforeCommit", "BreakFaultTests.dropChunk"]),
        CatalogueFault(
            19, "status-instead",
            "An answer is given in place of the backend's, and nothing is applied.",
            [
                ("respond", "status from 200 to 599, or a mapping of the keys below"),
                ("status, reason, version", "of the status line; `version: \"1.0\"`"),
                (
                    "headers, retry-after, upload-status",
                    "fields; `retry-after: 4s` or `{date: 4s}`"
                ),
                ("body", "content, or `{json: ...}`"),
                ("preset", "the provider's own answers, such as `rate-limited` or `gateway-page`"),
            ],
            at: [
                "request-head", "request-body N", "before-commit", "after-commit", "response-head",
            ],
            [
                FaultExample("download#1: respond 503", try: "get", sees: .answer(503)),
                FaultExample(
                    "download#1: respond {preset: gateway-page}", try: "get",
                    sees: .answer(502)),
            ],
            proofs: ["AnswerFaultTests.beforeCommit", "AnswerFaultTests.details"]),
        CatalogueFault(
            20, "status-after", "Everything is applied, and the answer says that it failed.",
            [("respond", "an answer, as for `status-instead`")],
            at: ["after-commit", "response-head"],
            [
                FaultExample(
                    "upload.media#1 @ after-commit: respond 503", try: "put", sees: .answer(503))
            ],
            proofs: ["AnswerFaultTests.afterCommit"]),
        CatalogueFault(
            21, "expired-token",
            "A token is refused from a moment on, for a number of requests, or until another one comes.",
            [
                ("token", "`{expire: NAME}`: a token of `backend.tokens`, for good"),
                ("respond", "`{preset: token-expired}`, with `where: {token: NAME}` or a number"),
                ("valid", "of `backend.tokens`: how long from its first use"),
            ],
            at: ["before-commit"],
            [
                FaultExample(
                    "download#1: respond {preset: token-expired}", try: "get",
                    sees: .answer(401)),
                FaultExample(
                    file: """
                        backend: {tokens: {alice: {}, bob: {}}}
                        faults:
                          - match: "*"
                            where: {token: alice}
                            do: {respond: {preset: token-expired}}
                        """,
                    try: "get -H 'Authorization: Firebase alice'", sees: .answer(401)),
                FaultExample(
                    file: """
                        backend: {access: signed-in, tokens: {alice: {}}}
                        faults: [{match: download#1, do: {token: {expire: alice}}}]
                        """,
                    try:
                        "get -H 'Authorization: Firebase alice'; get -H 'Authorization: Firebase alice'",
                    sees: .answer(401)),
            ],
            proofs: ["SelectorTests.filters", "VirtualTimeTests.token"]),
        CatalogueFault(
            22, "permission-denied", "A path, an operation or a user is refused with 403.",
            [
                ("respond", "`{preset: permission-denied}`"),
                ("access", "of the backend: `signed-in`, or `rules` with globs, rights and limits"),
            ],
            at: ["before-commit"],
            [
                FaultExample(
                    "download path=*.jpg: respond {preset: permission-denied}", try: "get",
                    sees: .answer(403))
            ],
            proofs: ["AnswerFaultTests.presets"]),
        CatalogueFault(
            23, "not-found", "The object, its bucket or the upload session is said to be gone.",
            [("respond", "preset `object-not-found`, `bucket-not-found` or `session-gone`")],
            at: ["before-commit"],
            [
                FaultExample(
                    "download#1: respond {preset: object-not-found}", try: "get",
                    sees: .answer(404)),
                FaultExample(
                    "upload.chunk#1: respond {preset: session-gone}", try: "start; chunk",
                    sees: .answer(410)),
            ],
            proofs: ["AnswerFaultTests.presets"]),
        CatalogueFault(
            24, "try-later",
            "408, 429 or a status of 500 and more, with or without a time to wait.",
            [
                ("respond", "408, 429, 500, 502, 503, 504; presets `rate-limited`, `unavailable`"),
                ("retry-after", "duration in whole seconds, or `{date: DURATION}`"),
            ],
            at: ["before-commit"],
            [
                FaultExample(
                    "download#1: respond {status: 429, retry-after: 1s}", try: "get -D -",
                    sees: .answer(429, says: "Retry-After: 1"))
            ],
            proofs: ["AnswerFaultTests.details", "AnswerFaultTests.retryDate"]),
        CatalogueFault(
            25, "conflict", "A condition on the generation fails: 409 or 412.",
            [("respond", "409 or 412")],
            at: ["before-commit"],
            [FaultExample("upload.media#1: respond 412", try: "put", sees: .answer(412))],
            proofs: ["AnswerFaultTests.beforeCommit"]),
        CatalogueFault(
            26, "over-quota", "The upload is too large, or the project's quota is used up.",
            [("respond", "413, or `{preset: quota-exceeded}`; 403 and 429 as others say it")],
            at: ["before-commit"],
            [
                FaultExample(
                    "upload.media#1: respond {preset: quota-exceeded}", try: "put",
                    sees: .answer(402))
            ],
            proofs: ["AnswerFaultTests.presets"]),
        CatalogueFault(
            27, "redirect", "The answer sends the client elsewhere: a target, itself, or a chain.",
            [("redirect", "a target, `self`, or `{times: N}` hops before the answer")],
            at: ["response-head"],
            [
                FaultExample(
                    "download: redirect self", try: "get -L --max-redirs 3",
                    sees: .error(47, "Maximum (3) redirects followed", status: 307))
            ],
            proofs: ["RedirectTests.target", "RedirectTests.itself", "RedirectTests.chain"]),
    ]
}
