// After the answer, and the server as a whole.
extension FaultCatalogue {
    static let server: [CatalogueFault] = [
        CatalogueFault(
            55, "ended-keep-alive",
            "The kept connection ends right after the answer, after a time, or at the next request.",
            [
                (
                    "keep-alive",
                    "`close-at-next`, `{close-after: DURATION}`, or `{max-age: DURATION, then: reset}`"
                ),
                ("disconnect", "at `response-end`: at once; at `idle T`: T later"),
            ],
            at: ["response-end", "idle T"],
            [
                FaultExample(
                    "download#1 @ response-end: disconnect close",
                    try: "get -v \"$base/photo.jpg?alt=media\" -o again.jpg",
                    sees: .answer(200, says: "(#1)")),
                FaultExample(
                    "download#1: keep-alive close-at-next",
                    try: "get -v \"$base/photo.jpg?alt=media\" -o again.jpg",
                    sees: .answer(200, says: "(#1)")),
            ],
            proofs: [
                "EndFaultTests.afterAnswer", "KeepAliveFaultTests.closeAtNext",
                "KeepAliveFaultTests.closeAfter", "KeepAliveFaultTests.maxAge",
                "KeepAliveFaultTests.idle",
            ]),
        CatalogueFault(
            56, "slow-close", "The answer is whole, and the connection ends a while after it.",
            [
                ("keep-alive", "`{close-after: DURATION}`"),
                ("delay", "at `response-end`, before `disconnect: close`"),
            ],
            at: ["response-end"],
            [
                FaultExample(
                    "download#1 @ response-end: delay 300ms, disconnect close", try: "get",
                    sees: .answer(200))
            ],
            proofs: ["EndFaultTests.afterAnswer", "KeepAliveFaultTests.slowClose"]),
        CatalogueFault(
            57, "half-close", "The server ends its sending with FIN, and goes on reading.",
            [("disconnect", "`half`")],
            at: ["any but connect"],
            [
                FaultExample(
                    "download#1 @ response-body 50%: disconnect half", try: "get",
                    sees: .error(18, "500000 bytes remaining to read", status: 200))
            ],
            proofs: [
                "BreakFaultTests.download", "BreakFaultTests.upload", "KeepAliveFaultTests.half",
            ]),
        CatalogueFault(
            58, "restart",
            "The server ends every connection and comes back on its port, with its upload sessions or "
                + "without.",
            [
                ("restart", "of `server`: `keep` or `forget`"),
                ("down", "duration for which the port takes no connection"),
            ],
            at: ["any but connect"],
            [
                FaultExample(
                    "upload.chunk#1 @ response-end: server {restart: forget, down: 100ms}",
                    try: "start; chunk; sleep 0.5; query", sees: .answer(404)),
                FaultExample(
                    "download#1 @ response-end: server {restart: keep, down: 5s}",
                    try: "get; sleep 0.2; get", sees: .refused),
            ],
            proofs: ["SelfTests.restart"]),
        CatalogueFault(
            59, "wrong-clock",
            "The server's clock goes ahead: every date and time that it tells.",
            [("skew", "of `server`: duration")],
            at: ["any but connect"],
            [
                FaultExample(
                    "download#1 @ response-end: server {skew: 8d}",
                    try: "get; get -D head; test $(date -d \"$(sed -n 's/^Date: //p' head)\" +%s)"
                        + " -gt $(date -d '+ 7 days' +%s) && echo ahead; echo 200",
                    sees: .answer(200, says: "ahead"))
            ],
            proofs: ["SelectorTests.skew"]),
        CatalogueFault(
            60, "no-room", "There is no room for objects: writes fail until there is room again.",
            [("full", "of `server`: `true` or `false`")],
            at: ["any but connect"],
            [
                FaultExample(
                    "upload.media#1: server {full: true}", try: "put", sees: .answer(507))
            ],
            proofs: ["SelfTests.full"]),
    ]
}
