import CMicroHTTPD
import EventLoop
import Glibc
import StorageModel

// Connections between two requests.
extension HTTPEngine {
    /// What the exchange that has just been completed wants.
    func obey(_ wish: WhenComplete, _ link: Link) {
        switch wish {
        case .keep: break
        case .close: closeNow(link)
        case .closeAtNext: closeAtNext(link)
        }
    }

    /// Closes when bytes of a next request come, before anything is answered.
    ///
    /// Bytes that libmicrohttpd has read already are seen in `headArrived`.
    func closeAtNext(_ link: Link) {
        link.closesAtNext = true
        if link.exchange != nil { return closeNow(link) }
        loop.watch(link.descriptor, EventLoop.readable | EventLoop.peerClosed) {
            [unowned self, link] _ in
            loop.unwatch(link.descriptor)
            closeNow(link)
        }
    }

    /// FIN; what still comes is read and thrown away.
    func closeNow(_ link: Link) {
        end(link, Self.steps(.close))
    }

    @discardableResult
    private func end(_ link: Link, _ steps: [WireStep], staysOpen: Bool = false) -> Bool {
        guard let descriptor = take(link) else { return false }
        let script = makeScript(steps, on: descriptor, link.id, staysOpen: staysOpen) { _ in }
        loop.post { script.run() }
        return true
    }

    static func steps(_ how: Disconnection) -> [WireStep] {
        switch how {
        case .close, .half: [.finishSending, .drain, .close]
        case .reset: [.reset]
        case .abort: [.abort]
        }
    }

    private func link(of connection: ConnectionID) -> Link? {
        links.values.first { $0.id == connection && !$0.isTaken && !$0.isDead }
    }

    /// True while the connection waits for a next request after this exchange.
    package func isIdle(_ connection: ConnectionID, after exchange: Int) -> Bool {
        guard let link = link(of: connection), link.newest == exchange else { return false }
        return exchanges[exchange] == nil && !isStopping
    }

    /// Ends a connection, and the exchange that is under way on it.
    ///
    /// - Returns: false when the connection is gone, or has left HTTP.
    @discardableResult
    package func end(_ connection: ConnectionID, _ how: Disconnection) -> Bool {
        let open = exchanges.values.filter { $0.connection == connection }
        if let exchange = open.min(by: { $0.ordinal < $1.ordinal }), exchange.stage != .queued {
            guard !exchange.isClientGone else { return false }
            cut(exchange, how)
            return true
        }
        guard let link = link(of: connection) else { return false }
        return end(link, Self.steps(how))
    }

    /// From now on nothing is read from the connection and nothing sent; the peer is not told.
    @discardableResult
    package func silence(_ connection: ConnectionID) -> Bool {
        link(of: connection).map { end($0, [], staysOpen: true) } ?? false
    }

    /// Sends bytes that nobody asked for, between two requests. A client that does not read, so that
    /// they do not fit, gets them all the same, but its connection is not served any more.
    @discardableResult
    package func send(_ bytes: [UInt8], on connection: ConnectionID) -> Bool {
        guard let link = link(of: connection) else { return false }
        let count = max(0, Glibc.send(link.descriptor, bytes, bytes.count, Sockets.noSignal))
        if count == bytes.count { return true }
        return end(link, [.send(Array(bytes[count...])), .drain, .close])
    }
}
