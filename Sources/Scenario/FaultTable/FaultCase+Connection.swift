import StorageModel

// Before a request is read, and while it is.
extension FaultCase {
    private static let connect: [String?] = ["connect"]

    static let connection: [FaultCase] = [
        FaultCase("refused-port", "[{refuse: 5s}, {disconnect: reset}]", at: before, .broken) {
            $0.repetitions = [.once]
        },
        FaultCase("refused-port", "[{refuse: 5s}, {disconnect: reset}]", at: after, .lost) {
            $0.repetitions = [.once]
        },
        FaultCase(
            "refused-port", "[{refuse: 5s}, {disconnect: reset}]", at: inside, .lost
        ) { $0.repetitions = [.once] },
        FaultCase(
            "refused-port", "[{refuse: 100s}, {disconnect: reset}]", at: before, .broken,
            .transport(.refused)
        ) { $0.lasts = true },
        FaultCase(
            "refused-port",
            "[{refuse: {for: 100s, how: blackhole}}, {disconnect: reset}]", at: before, .broken,
            .transport(.timedOut)
        ) { $0.lasts = true },
        FaultCase(
            "refused-port", "[{refuse: {for: 5s, how: blackhole}}, {disconnect: reset}]",
            at: before, .broken
        ) { $0.repetitions = [.once] },
        FaultCase("refused-port", "{refuse: 5s}", at: end, .harmless) {
            $0.repetitions = [.once]
        },
        FaultCase("silent-connection", "silence", at: connect, .broken, .transport(.timedOut)),
        FaultCase(
            "broken-connection", "{disconnect: reset}", at: connect, .broken, .transport(.reset)),
        FaultCase(
            "broken-connection", "{disconnect: close}", at: connect, .broken,
            .transport(.closed)),
        FaultCase("slow-accept", "{delay: 2s}", at: connect, .harmless),
        FaultCase(
            "slow-accept", "{stall: forever}", at: connect, .broken, .transport(.timedOut)),
        FaultCase("connection-limit", nil, .harmless) {
            $0.backend = "connections: {max: 1, then: queue}"
            $0.repetitions = [.each]
        },
        FaultCase("connection-limit", nil, .harmless, on: FaultTarget.first) {
            $0.backend = "connections: {max: 1, then: refuse}"
            $0.repetitions = [.each]
        },
        tls("fail-handshake"), tls("expired"), tls("wrong-name"), tls("untrusted"),
        FaultCase("slow-handshake", "{tls: {slow-handshake: 300ms}}", at: connect, .harmless),
        FaultCase("slow-request-head", "{throttle: 64KiB/s}", at: connect, .harmless),
    ]

    private static func tls(_ how: String) -> FaultCase {
        FaultCase(
            "bad-certificate", "{tls: \(how)}", at: connect, .untrusted, .transport(.tls))
    }

    static let request: [FaultCase] = [
        FaultCase("early-answer", "{respond: 503}", at: early, .passing, .status(503)),
        FaultCase("early-answer", "{respond: 403}", at: early, .refused, .status(403)),
        FaultCase(
            "early-answer", "[{respond: 413}, {disconnect: close}]", at: ["request-head"],
            .refused, .status(413)),
        FaultCase("expect-continue", "{continue: refuse}", .harmless) { $0.mayMiss = true },
        FaultCase("expect-continue", "{continue: withhold}", .harmless) { $0.mayMiss = true },
        FaultCase(
            "slow-upload", "{throttle: 256KiB/s}", at: early, .harmless, on: FaultTarget.bodies),
        FaultCase(
            "slow-upload", "{slice: {size: 64KiB, gap: 100ms}}", at: early, .harmless,
            on: FaultTarget.bodies),
        FaultCase("stalled-upload", "{stall: 2s}", at: inBody, .harmless),
        FaultCase(
            "stalled-upload", "{stall: forever}", at: inBody, .broken, .transport(.timedOut)),
        FaultCase(
            "status-inside-upload", "{respond: 503}", at: inBody, .passing, .status(503),
            on: FaultTarget.bodies
        ) {
            $0.commit = "64KiB"
            $0.repetitions = [.once]
        },
        FaultCase("status-inside-upload", "{respond: 503}", at: inBody, .passing, .status(503)),
        FaultCase("status-inside-upload", "{respond: 403}", at: inBody, .refused, .status(403)),
        FaultCase(
            "reset-inside-upload", "{disconnect: reset}", at: early, .broken,
            .transport(.reset)),
        FaultCase(
            "reset-inside-upload", "{disconnect: reset}", at: inBody, .broken,
            .transport(.reset), on: FaultTarget.bodies
        ) { $0.commit = "none" },
        FaultCase("close-inside-upload", "{disconnect: close}", at: early, .broken),
        FaultCase("close-inside-upload", "{disconnect: half}", at: early, .broken),
    ]

    private static let early: [String?] = ["request-head", "request-body 50%"]
    private static let inBody: [String?] = ["request-body 50%"]
}
