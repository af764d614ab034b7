import EventLoop
import Glibc
import TestSupport
import Testing

/// A client that sends a body in pieces and a server that answers each after a delay, over real TCP on
/// one loop, in virtual time; the log has every step with its time.
private final class SmallExchange: @unchecked Sendable {
    // Invariant: touched on the loop's thread alone, but for `log`.
    let log = Recorder<String>()
    private let loop: EventLoop
    private let rounds: Int
    private let listener: (fd: Int32, port: UInt16)
    private var client: Int32 = -1
    private var server: Int32 = -1
    private var round = 0
    private var received = 0
    private var done: (() -> Void)?

    init(_ loop: EventLoop, _ family: Loopback.Family, rounds: Int) {
        self.loop = loop
        self.rounds = rounds
        listener = Loopback.listener(family)
        client = Loopback.client(family, port: listener.port)
    }

    private func note(_ text: String) {
        log.append("\(loop.now / .milliseconds(1)) \(text)")
    }

    func run(_ done: @escaping () -> Void) {
        self.done = done
        loop.time?.clientOpened(client)
        loop.watch(listener.fd, EventLoop.readable) { [self] _ in accept() }
        loop.watch(client, EventLoop.readable) { [self] _ in clientReads() }
        ask()
    }

    private func accept() {
        server = Loopback.accept(listener.fd)
        loop.time?.serverOpened(server)
        note("accepted")
        loop.watch(server, EventLoop.readable) { [self] _ in serverReads() }
    }

    private func ask() {
        round += 1
        _ = Loopback.write(client, 1000)
        note("asked \(round)")
        let idle = loop.timer(after: .seconds(30)) { [self] in note("idle") }
        loop.timer(after: .milliseconds(250)) { [self] in
            loop.cancel(idle)
            _ = Loopback.write(client, 500)
            note("rest \(round)")
        }
    }

    private func serverReads() {
        let count = Loopback.drain(server)
        guard count >= 0 else { return finish() }
        received += count
        guard received == 1500 * round else { return }
        note("got \(received)")
        loop.timer(after: .seconds(round)) { [self] in
            note("answered")
            _ = Loopback.write(server, 10)
        }
    }

    private func clientReads() {
        note("read \(Loopback.drain(client))")
        guard round == rounds else { return ask() }
        loop.unwatch(client)
        loop.time?.clientClosed(client)
        close(client)
        loop.timer(after: .seconds(60)) { [self] in note("never") }
    }

    private func finish() {
        note("closed")
        for fd in [server, listener.fd] { loop.unwatch(fd) }
        loop.time?.serverClosed(server)
        close(server)
        close(listener.fd)
        done?()
    }
}

@Suite("Virtual time over sockets")
struct VirtualExchangeTests {
    private func log(
        _ family: Loopback.Family = .ipv4, rounds: Int = 3, weakness: VirtualTime.Weakness = []
    ) async throws -> [String] {
        try await runVirtually(weakness: weakness) { loop in
            let exchange = SmallExchange(loop, family, rounds: rounds)
            await withCheckedContinuation { continuation in
                exchange.run { continuation.resume() }
            }
            return exchange.log.values
        }
    }

    static let expected = [
        "0.0 asked 1", "0.0 accepted", "250.0 rest 1", "250.0 got 1500", "1250.0 answered",
        "1250.0 read 10", "1250.0 asked 2", "1500.0 rest 2", "1500.0 got 3000", "3500.0 answered",
        "3500.0 read 10", "3500.0 asked 3", "3750.0 rest 3", "3750.0 got 4500", "6750.0 answered",
        "6750.0 read 10", "6750.0 closed",
    ]

    @Test(
        "An exchange over TCP has the same log in 500 runs",
        arguments: Loopback.Family.allCases)
    func sameLog(family: Loopback.Family) async throws {
        for _ in 0..<500 { #expect(try await log(family) == Self.expected) }
    }

    @Test("Without asking the kernel the clock jumps over bytes that are there")
    func kernelIsNeeded() async throws {
        let log = try? await log(weakness: .noKernel)
        #expect(log != Self.expected)
    }

    @Test(
        "The clock waits for bytes that the kernel is late with; without the ledger it does not",
        arguments: [
            (VirtualTime.Weakness(), ["bytes", "timer"]), (.noLedger, ["timer", "bytes"]),
        ])
    func ledgerIsNeeded(weakness: VirtualTime.Weakness, order: [String]) async throws {
        let seen = Recorder<String>()
        let sent = Recorder<Int>()
        let pair = Loopback.pair()
        defer {
            close(pair.client)
            close(pair.server)
        }
        let time = VirtualTime(weakness: weakness)
        let loop = try EventLoop(time: time)
        time.clientOpened(pair.client)
        time.serverOpened(pair.server)
        try loop.start()
        loop.post {
            Loopback.dropSegments(pair.server, true)
            loop.watch(pair.server, EventLoop.readable) { _ in
                if Loopback.drain(pair.server) > 0 { seen.append("bytes") }
            }
            loop.timer(after: .seconds(1)) { seen.append("timer") }
            sent.append(Loopback.write(pair.client, 10))
        }
        try sent.wait(count: 1)
        if order.first == "timer" { try seen.wait(count: 1) }
        // The kernel repeats the segment after some 200 ms of wall time.
        Loopback.dropSegments(pair.server, false)
        try seen.wait(count: 2)
        loop.stop()
        #expect(seen.values == order)
    }
}
