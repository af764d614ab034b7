// Before a request is read.
extension FaultCatalogue {
    static let connection: [CatalogueFault] = [
        CatalogueFault(
            1, "refused-port",
            "For a while the port takes no connection; those that are open live on.",
            [
                (
                    "refuse",
                    "duration, more than 0, from the phase on; or `{for: DURATION, how: blackhole}`: "
                        + "attempts get no answer"
                )
            ],
            at: ["any"],
            [
                FaultExample(
                    "download#1 @ response-end: refuse 5s", try: "get; get", sees: .refused),
                FaultExample(
                    "download#1 @ response-end: refuse {for: 5s, how: blackhole}",
                    try: "get; get", sees: .error(28, "timed out")),
            ],
            proofs: ["BreakFaultTests.refuse", "PortTests.blackHole", "PortTests.refuseFault"]),
        CatalogueFault(
            2, "silent-connection",
            "A connection is taken, and nothing is ever read from it or sent on it.",
            [("silence", "takes no value")],
            at: ["connect"],
            [FaultExample("connect#1: silence", try: "get", sees: .timedOut)],
            proofs: ["BreakFaultTests.connect"]),
        CatalogueFault(
            3, "broken-connection",
            "A connection is taken and ended at once, with RST or with FIN; with an ordinal, the first n.",
            [("disconnect", "`reset` or `close`")],
            at: ["connect"],
            [
                FaultExample("connect#1: disconnect reset", try: "get", sees: .resetAtOnce),
                FaultExample("connect#1..2: disconnect close", try: "get; get", sees: .empty),
            ],
            proofs: ["BreakFaultTests.connect"]),
        CatalogueFault(
            4, "slow-accept", "A connection is taken and left alone for a time before it is read.",
            [("delay", "duration, or a distribution as for `slow-answer`")],
            at: ["connect"],
            [
                FaultExample(
                    "connect#1: delay 300ms", try: "get", sees: .answer(200)),
                FaultExample("connect#1: stall forever", try: "get", sees: .timedOut),
            ],
            proofs: ["ConnectFaultTests.late", "ConnectFaultTests.stalled"]),
        CatalogueFault(
            5, "connection-limit",
            "Connections beyond a number are refused, or wait until one of the others has ended.",
            [
                ("max", "of `backend.connections`: 1 or more connections at once"),
                ("then", "`refuse` or `queue`"),
            ],
            at: ["connect"],
            [
                FaultExample(
                    file: "backend: {connections: {max: 1, then: refuse}}",
                    try: "ask \"$base/photo.jpg?alt=media\" 2> log | sleep 1 & sleep 0.3; info",
                    sees: .refused)
            ],
            proofs: ["PortTests.refusesBeyond", "PortTests.queuesBeyond"]),
        CatalogueFault(
            7, "bad-certificate",
            "The TLS handshake fails, or the certificate is one that no client may accept.",
            [
                (
                    "tls",
                    "`fail-handshake`, `expired`, `wrong-name` or `untrusted`, with `serve --tls`; "
                        + "`no-close-notify` leaves out the end that TLS has of its own"
                )
            ],
            at: ["connect"],
            [
                FaultExample(
                    "connect#1: tls fail-handshake", options: ["--tls"], try: "secure_get",
                    sees: .error(35, "handshake failure")),
                FaultExample(
                    "connect#1: tls expired", options: ["--tls"], try: "secure_get",
                    sees: .error(60, "certificate has expired")),
                FaultExample(
                    "connect#1: tls wrong-name", options: ["--tls"], try: "secure_get",
                    sees: .error(60, "no alternative certificate subject name matches")),
                FaultExample(
                    "connect#1: tls untrusted", options: ["--tls"], try: "secure_get",
                    sees: .error(60, "unable to get local issuer certificate")),
            ],
            proofs: ["TLSHandshakeTests.flawed", "TLSHandshakeTests.fails", "ServeTLSTests.seen"]),
        CatalogueFault(
            8, "slow-handshake", "The TLS handshake takes long.",
            [("tls", "`slow-handshake` (2 s) or `{slow-handshake: DURATION}`, with `serve --tls`")],
            at: ["connect"],
            [
                FaultExample(
                    "connect#1: tls slow-handshake", options: ["--tls"], try: "secure_get -m 1",
                    sees: .error(28, "timed out")),
                FaultExample(
                    "connect#1: tls {slow-handshake: 300ms}", options: ["--tls"], try: "secure_get",
                    sees: .answer(200)),
            ],
            proofs: ["TLSHandshakeTests.slow"]),
    ]
}
