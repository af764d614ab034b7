// Upload sessions.
extension FaultCatalogue {
    static let session: [CatalogueFault] = [
        CatalogueFault(
            28, "lost-session",
            "The upload session is expired, cancelled or locked between two requests.",
            [("session", "`expire`, `cancel`, or `{lock: DURATION}` (423 with status `active`)")],
            at: ["any but connect"],
            [
                FaultExample(
                    "upload.chunk#1 @ response-end: session expire",
                    try: "start; chunk; query", sees: .answer(404)),
                FaultExample(
                    "upload.chunk#1 @ response-end: session {lock: 5s}",
                    try: "start; chunk; query", sees: .answer(423)),
            ],
            proofs: ["VirtualTimeTests.locked"]),
        CatalogueFault(
            29, "lying-session",
            "The session tells a wrong size, a wrong status, or no status at all.",
            [
                ("session", "`{claim: SIZE}`: the received size that it tells from then on"),
                ("headers", "on `X-Goog-Upload-Status` and `X-Goog-Upload-Size-Received`"),
            ],
            at: ["any but connect", "response-head"],
            [
                FaultExample(
                    "upload.query#1: session {claim: 1MiB}", try: "start; chunk; query",
                    sees: .answer(200, says: "X-Goog-Upload-Size-Received: 1048576")),
                FaultExample(
                    "upload.query#1: headers {remove: [X-Goog-Upload-Status]}",
                    try: "start; query", sees: .answer(200)),
                FaultExample(
                    "upload.query#1: headers {set: {X-Goog-Upload-Status: final}}",
                    try: "start; query", sees: .answer(200, says: "X-Goog-Upload-Status: final")),
            ],
            proofs: ["SelfTests.lyingSessions"]),
        CatalogueFault(
            30, "session-address",
            "The URL of the session is missing, malformed, or leads elsewhere.",
            [("headers", "on `X-Goog-Upload-URL`: `remove`, `set` or `rename`")],
            at: ["response-head"],
            [
                FaultExample(
                    "upload.start#1: headers {remove: [X-Goog-Upload-URL]}",
                    try: "start; query", sees: .error(3, "URL")),
                FaultExample(
                    "upload.start#1: headers {set: {X-Goog-Upload-URL: \"http://127.0.0.1:9/\"}}",
                    try: "start; query", sees: .refused),
            ],
            proofs: ["AnswerFaultTests.composition"]),
        CatalogueFault(
            31, "odd-granularity",
            "The granularity of chunks that the server tells is odd or missing.",
            [
                (
                    "headers",
                    "on `X-Goog-Upload-Chunk-Granularity`, whatever the server really takes"
                ),
                ("granularity", "of the backend: the size that it really takes and tells"),
            ],
            at: ["response-head"],
            [
                FaultExample(
                    "upload.start#1: headers {set: {X-Goog-Upload-Chunk-Granularity: 10000}}",
                    try: "start; cat head; echo 200",
                    sees: .answer(200, says: "X-Goog-Upload-Chunk-Granularity: 10000")),
                FaultExample(
                    file: """
                        backend: {granularity: 100000}
                        faults: [{match: upload.start, do: {delay: 0s}}]
                        """, try: "start; chunk", sees: .answer(400)),
            ],
            proofs: ["AnswerFaultTests.composition"]),
        CatalogueFault(
            32, "partial-commit",
            "The server keeps fewer bytes than it was sent, and says so when asked.",
            [("commit", "`none`, a size, a percentage; stands without `do`")],
            at: ["request-body N", "before-commit"],
            [
                FaultExample(
                    file: """
                        faults: [{match: upload.chunk#1, commit: 100KiB}]
                        """, try: "start; chunk; query",
                    sees: .answer(200, says: "X-Goog-Upload-Size-Received: 102400"))
            ],
            proofs: ["BreakFaultTests.commit"]),
        CatalogueFault(
            33, "lost-bytes", "Bytes that the server had confirmed are gone: its offset falls.",
            [("session", "`{lose: SIZE}`, 1 byte or more")],
            at: ["any but connect"],
            [
                FaultExample(
                    "upload.chunk#1 @ after-commit: session {lose: 256KiB}",
                    try: "start; chunk; query",
                    sees: .answer(200, says: "X-Goog-Upload-Size-Received: 0"))
            ],
            proofs: ["SelfTests.lyingSessions"]),
        CatalogueFault(
            34, "applied-twice",
            "The bytes of one request are kept two times, or more than were sent.",
            [("commit", "`twice`, or `+4KiB`")],
            at: ["request-body N", "before-commit"],
            [
                FaultExample(
                    file: """
                        faults: [{match: upload.chunk#1, commit: twice}]
                        """, try: "start; chunk; query",
                    sees: .answer(200, says: "X-Goog-Upload-Size-Received: 524288"))
            ],
            proofs: ["BreakFaultTests.commit"]),
    ]
}
