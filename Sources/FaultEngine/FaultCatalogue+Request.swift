// While a request is read.
extension FaultCatalogue {
    static let request: [CatalogueFault] = [
        CatalogueFault(
            9, "slow-request-head", "What the client sends is read slowly from its first byte on.",
            [("throttle", "rate, bytes per second: `200/s`, `64KiB/s`")],
            at: ["connect"],
            [
                FaultExample(
                    "connect#1: throttle 100/s", try: "get -m 1", sees: .timedOut)
            ],
            proofs: ["ConnectFaultTests.slowHead", "ConnectFaultTests.slowHeadLeft"]),
        CatalogueFault(
            10, "early-answer",
            "The answer comes before the body was read; then the rest is read and thrown away, or the "
                + "connection ends.",
            [
                ("respond", "an answer, as for `status-instead`"),
                ("disconnect", "behind it: `close` or `reset`"),
            ],
            at: ["request-head", "request-body N"],
            [
                FaultExample(
                    "upload.media#1 @ request-head: respond 401", try: "put", sees: .answer(401)),
                FaultExample(
                    "upload.media#1 @ request-head: respond 413, disconnect close",
                    try: "put", sees: .answer(413)),
            ],
            proofs: ["AnswerFaultTests.atHead", "AnswerFaultTests.thenDisconnect"]),
        CatalogueFault(
            11, "expect-continue",
            "A client that waits for `100 Continue` gets none, gets it late or twice, or gets 417.",
            [("continue", "`withhold`, `refuse`, `twice` or `{delay: DURATION}`")],
            at: ["request-head"],
            [
                FaultExample(
                    "upload.media#1: continue refuse",
                    try: "put -H 'Expect: 100-continue'", sees: .answer(417)),
                FaultExample(
                    "upload.media#1: continue {delay: 300ms}",
                    try: "put -v -H 'Expect: 100-continue'",
                    sees: .answer(200, says: "HTTP/1.1 100 Continue")),
                FaultExample(
                    "upload.media#1: continue withhold",
                    try: "put -H 'Expect: 100-continue'", sees: .answer(200)),
            ],
            proofs: [
                "ContinueFaultTests.withhold", "ContinueFaultTests.twice",
                "ContinueFaultTests.refuse", "ContinueFaultTests.late",
            ]),
        CatalogueFault(
            12, "slow-upload", "The body is read at a rate, or in pieces with gaps.",
            [
                ("throttle", "rate, bytes per second, from the phase on"),
                (
                    "slice",
                    "`{size, gap}`: bytes of a piece, and the pause before each but the first"
                ),
            ],
            at: ["request-head", "request-body N"],
            [
                FaultExample(
                    "upload.media#1: throttle 256KiB/s", try: "put", sees: .timedOut),
                FaultExample(
                    "upload.media#1: slice {size: 250000, gap: 100ms}", try: "put",
                    sees: .answer(200)),
            ],
            proofs: ["PaceFaultTests.upload"]),
        CatalogueFault(
            13, "stalled-upload",
            "Nothing more is read after N bytes of the body, for a time or for ever.",
            [
                ("N", "bytes of this body, `50%`, `end-1`, or `object 1MiB`"),
                ("stall", "duration, or `forever`"),
            ],
            at: ["request-body N"],
            [
                FaultExample(
                    "upload.media#1 @ request-body 50%: stall forever", try: "put",
                    sees: .timedOut),
                FaultExample(
                    "upload.media#1 @ request-body 500000: stall 300ms", try: "put",
                    sees: .answer(200)),
            ],
            proofs: ["OffsetFaultTests.uploadStall"]),
        CatalogueFault(
            14, "status-inside-upload",
            "After N bytes of the body comes an answer, and M bytes of them are kept.",
            [
                ("N", "bytes of this body, `50%`, `end-1`, or `object 1MiB`"),
                ("commit", "`none`, `all`, a size, a percentage, `+4KiB`, or `twice`"),
                ("respond", "an answer, as for `status-instead`"),
            ],
            at: ["request-body N"],
            [
                FaultExample(
                    "upload.media#1 @ request-body 60%: respond 503", try: "put",
                    sees: .answer(503)),
                FaultExample(
                    file: """
                        faults:
                          - match: upload.chunk#1
                            at: request-body 200KiB
                            commit: 100KiB
                            do: {respond: 503}
                        """, try: "start; chunk; query",
                    sees: .answer(200, says: "X-Goog-Upload-Size-Received: 102400")),
            ],
            proofs: ["SelfTests.accounting", "OffsetFaultTests.uploadAnswer"]),
        CatalogueFault(
            15, "reset-inside-upload",
            "RST after exactly N bytes of the body, of which whole units or M bytes are kept.",
            [
                ("N", "bytes of this body, `50%`, `end-1`, or `object 1MiB`"),
                ("disconnect", "`reset`"),
                ("commit", "as for `status-inside-upload`"),
            ],
            at: ["request-head", "request-body N"],
            [
                FaultExample(
                    "upload.media#1 @ request-body 60%: disconnect reset", try: "put",
                    sees: .reset)
            ],
            proofs: ["BreakFaultTests.upload", "BreakFaultTests.commit"]),
        CatalogueFault(
            16, "close-inside-upload",
            "FIN without an answer after exactly N bytes of the body.",
            [
                ("N", "bytes of this body, `50%`, `end-1`, or `object 1MiB`"),
                ("disconnect", "`close`; `half` reads on"),
            ],
            at: ["request-head", "request-body N"],
            [
                FaultExample(
                    "upload.media#1 @ request-body 60%: disconnect close", try: "put",
                    sees: .empty)
            ],
            proofs: ["BreakFaultTests.upload"]),
    ]
}
