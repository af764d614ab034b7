import Glibc
import Testing

@testable import EventLoop

@Suite("Socket ledger")
struct SocketLedgerTests {
    private func ledger(_ pair: (client: Int32, server: Int32)) -> SocketLedger {
        var ledger = SocketLedger()
        ledger.patience = 100
        ledger.clientOpened(pair.client)
        ledger.serverOpened(pair.server)
        return ledger
    }

    private func close(_ pair: (client: Int32, server: Int32)) {
        _ = Glibc.close(pair.client)
        _ = Glibc.close(pair.server)
    }

    @Test(
        "An idle connection is quiet, and so is one with bytes to read",
        arguments: Loopback.Family.allCases)
    func idle(family: Loopback.Family) {
        let pair = Loopback.pair(family)
        defer { close(pair) }
        var ledger = ledger(pair)
        #expect(ledger.waitUntilDelivered { false } == .quiet)
        #expect(Loopback.write(pair.client, 1000) == 1000)
        #expect(ledger.waitUntilDelivered { false } == .quiet)
    }

    @Test("Bytes that the peer has no room for are no bytes under way")
    func fullBuffers() {
        let pair = Loopback.pair()
        defer { close(pair) }
        var ledger = ledger(pair)
        while Loopback.write(pair.client, 1 << 20) > 0 {}
        #expect(ledger.waitUntilDelivered { false } == .quiet)
    }

    @Test("Bytes that do not arrive are under way", arguments: Loopback.Family.allCases)
    func dropped(family: Loopback.Family) {
        let pair = Loopback.pair(family)
        defer { close(pair) }
        var ledger = ledger(pair)
        _ = ledger.waitUntilDelivered { false }
        Loopback.dropSegments(pair.server, true)
        #expect(Loopback.write(pair.client, 10) == 10)
        guard case .undelivered(let connections) = ledger.waitUntilDelivered(unless: { false })
        else {
            Issue.record("said to be delivered")
            return
        }
        #expect(connections.count == 1)
        #expect(ledger.waitUntilDelivered { true } == .busy)
    }

    @Test("A FIN that does not arrive is under way, also when its sender is closed")
    func droppedEnd() {
        let pair = Loopback.pair()
        defer { _ = Glibc.close(pair.server) }
        var ledger = ledger(pair)
        _ = ledger.waitUntilDelivered { false }
        Loopback.dropSegments(pair.server, true)
        ledger.clientClosed(pair.client)
        _ = Glibc.close(pair.client)
        #expect(ledger.waitUntilDelivered { false } != .quiet)
    }

    @Test("A connection whose both ends were closed is forgotten")
    func closed() {
        let pair = Loopback.pair()
        var ledger = ledger(pair)
        ledger.clientClosed(pair.client)
        ledger.serverClosed(pair.server)
        close(pair)
        #expect(ledger.waitUntilDelivered { false } == .quiet)
    }

    @Test("The server's end may go on under another descriptor")
    func duplicate() {
        let pair = Loopback.pair()
        var ledger = ledger(pair)
        let copy = dup(pair.server)
        ledger.serverOpened(copy)
        ledger.serverClosed(pair.server)
        _ = Glibc.close(pair.server)
        Loopback.dropSegments(copy, true)
        #expect(Loopback.write(pair.client, 10) == 10)
        #expect(ledger.waitUntilDelivered { false } != .quiet)
        close((pair.client, copy))
    }

    /// A port whose queue is full: the kernel answers no further attempt.
    private func unanswered() -> (fds: [Int32], attempt: Int32) {
        let (listener, port) = Loopback.listener(.ipv4, backlog: 0)
        let first = Loopback.client(.ipv4, port: port)
        return ([listener, first], Loopback.client(.ipv4, port: port))
    }

    @Test("An attempt that gets no answer counts for a while, then no more")
    func unansweredAttempt() {
        let (fds, attempt) = unanswered()
        defer { for fd in fds + [attempt] { _ = Glibc.close(fd) } }
        var ledger = SocketLedger()
        ledger.clientOpened(attempt)
        ledger.patience = 10
        #expect(ledger.waitUntilDelivered { false } == .undelivered([]))
        ledger.patience = 1000
        ledger.patienceForAttempts = 20
        #expect(ledger.waitUntilDelivered { false } == .quiet)
    }

    @Test("An attempt that is exempt does not count at all")
    func exemptAttempt() {
        let (fds, attempt) = unanswered()
        defer { for fd in fds + [attempt] { _ = Glibc.close(fd) } }
        var ledger = SocketLedger()
        ledger.patience = 1
        ledger.clientOpened(attempt)
        ledger.exempt(attempt)
        #expect(ledger.waitUntilDelivered { false } == .quiet)
    }

    @Test("A connection that nobody has accepted yet is no work under way")
    func unaccepted() {
        let (listener, port) = Loopback.listener(.ipv6)
        let client = Loopback.client(.ipv6, port: port)
        defer { close((client, listener)) }
        var ledger = SocketLedger()
        ledger.clientOpened(client)
        #expect(Loopback.write(client, 10) == 10)
        #expect(ledger.waitUntilDelivered { false } == .quiet)
    }
}
