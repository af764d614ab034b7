// The head of the answer.
extension FaultCatalogue {
    static let head: [CatalogueFault] = [
        CatalogueFault(
            35, "slow-answer", "The answer is late, by a time that may be drawn.",
            [
                (
                    "delay",
                    "duration, or one of the distributions below; seeded, so that a run repeats"
                ),
                ("uniform", "`[1s, 3s]`, the shorter first"),
                ("normal", "`{mean, deviation}`, never less than 0"),
                ("lognormal", "`{median, sigma, max}`, sigma 0 or more"),
                ("list", "`[1s, 0s, 5s]`: one entry for each that fits, the last repeats"),
            ],
            at: ["any but connect", "default response-head"],
            [
                FaultExample("download#1: delay 300ms", try: "get", sees: .answer(200)),
                FaultExample(
                    file: """
                        faults: [{match: download, per: run, do: {delay: {list: [0s, 5s]}}}]
                        """, try: "get; get", sees: .timedOut),
            ],
            proofs: ["VirtualTimeTests.delay", "DelayFaultTests.distributions"]),
        CatalogueFault(
            36, "late-body", "The head comes at once, the body or its rest after a time.",
            [("delay", "as for `slow-answer`, at any offset of the body")],
            at: ["response-body N"],
            [
                FaultExample(
                    "download#1 @ response-body 0: delay 300ms", try: "get", sees: .answer(200)),
                FaultExample(
                    "download#1 @ response-body end-1: delay 5s", try: "get",
                    sees: .error(28, "999999 out of 1000000 bytes received", status: 200)),
            ],
            proofs: ["OffsetFaultTests.downloadStall"]),
        CatalogueFault(
            37, "empty-answer",
            "The connection ends, or falls silent, where the answer should begin.",
            [("disconnect", "`close` or `reset`"), ("silence", "takes no value")],
            at: ["request-head", "before-commit", "after-commit", "response-head"],
            [
                FaultExample(
                    "download#1 @ response-head: disconnect close", try: "get", sees: .empty),
                FaultExample(
                    "download#1 @ response-head: disconnect reset", try: "get", sees: .reset),
            ],
            proofs: ["EndFaultTests.aroundCommit"]),
        CatalogueFault(
            38, "cut-head", "The connection ends inside the answer's header block.",
            [
                ("raw", "`{text}` or `{base64}`: the part of the head that is sent"),
                ("disconnect", "behind it: `close` or `reset`"),
            ],
            at: ["request-head", "before-commit", "after-commit", "response-head"],
            [
                FaultExample(
                    "download#1: raw {text: \"HTTP/1.1 200 OK\\r\\nContent-Le\"}, disconnect reset",
                    try: "get", sees: .error(56, "Connection reset by peer", status: 200)),
                FaultExample(
                    "download#1: raw {text: \"HTTP/1.1 200 OK\\r\\nContent-Le\"}, disconnect close",
                    try: "get", sees: .answer(200)),
            ],
            proofs: ["AnswerFaultTests.raw", "OddHeadTests.cut", "OddHeadTests.slowHead"]),
        CatalogueFault(
            39, "garbage", "Bytes that are no HTTP come where the answer should.",
            [("raw", "`{text}` or `{base64}`"), ("disconnect", "behind it: `close` or `reset`")],
            at: ["connect", "request-head", "before-commit", "after-commit", "response-head"],
            [
                FaultExample(
                    "download#1: raw {base64: \"AAECAwQFBgcICQ==\"}, disconnect close", try: "get",
                    sees: .error(1, "HTTP/0.9")),
                FaultExample(
                    "connect#1: raw {text: \"hello\"}", try: "get", sees: .error(1, "HTTP/0.9")),
            ],
            proofs: ["AnswerFaultTests.raw", "OddHeadTests.garbage"]),
        CatalogueFault(
            40, "malformed-head",
            "The status line or a header is malformed, doubled, too long, or contradicts another.",
            [
                ("headers", "`set` (also filler of a size), `remove`, `rename`, `duplicate`"),
                ("respond", "`reason` and `version` of the status line"),
                ("raw", "any head at all"),
                ("interim", "1xx answers sent first: `[102, {status: 103, headers: {...}}]`"),
            ],
            at: ["request-head", "before-commit", "after-commit", "response-head"],
            [
                FaultExample(
                    "download#1: raw {text: \"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n"
                        + "Content-Length: 6\\r\\n\\r\\nhello\"}, disconnect close", try: "get",
                    sees: .error(18, "1 bytes remaining", status: 200)),
                FaultExample(
                    "download#1: headers {set: {X-Filler: {size: 512KiB}}}", try: "get",
                    sees: .error(27, "Out of memory", status: 200)),
                FaultExample(
                    "download#1: interim [102]", try: "get -D -", sees: .answer(200, says: " 102 ")),
                FaultExample(
                    "download#1: respond {status: 200, version: \"1.0\", body: {text: old}}",
                    try: "get -D -", sees: .answer(200, says: "HTTP/1.0 200")),
            ],
            proofs: [
                "AnswerFaultTests.details", "AnswerFaultTests.raw", "OddHeadTests.interim",
                "OddHeadTests.http10", "OddHeadTests.twoAnswers", "LengthFaultTests.fields",
            ]),
        CatalogueFault(
            41, "length-too-long", "The head promises more bytes than come.",
            [("length", "`+N`, or a size beyond the body's")],
            at: ["response-head"],
            [
                FaultExample(
                    "download#1: length +100", try: "get",
                    sees: .error(18, "100 bytes remaining", status: 200))
            ],
            proofs: ["LengthFaultTests.lie"]),
        CatalogueFault(
            42, "length-too-short", "The head promises fewer bytes than come, or no number at all.",
            [("length", "`-N`, a size below the body's, or `none`")],
            at: ["response-head"],
            [
                FaultExample(
                    "download#1: length -100", try: "get -D -",
                    sees: .answer(200, says: "Content-Length: 999900")),
                FaultExample(
                    "download#1: length none", try: "get -D -",
                    sees: .answer(200, says: "Transfer-Encoding: chunked")),
            ],
            proofs: [
                "LengthFaultTests.lie", "LengthFaultTests.surplus",
                "AnswerFaultTests.withoutLength",
            ]),
    ]
}
