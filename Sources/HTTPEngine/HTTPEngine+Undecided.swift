import EventLoop
package import StorageModel

// Connections before a byte of them is read, and heads that are read slowly.
extension HTTPEngine {
    /// Nothing is read or sent; the client's leaving is seen.
    func keepUndecided(_ descriptor: Int32, _ id: ConnectionID) {
        let script = makeScript([], on: descriptor, id, staysOpen: true) { [unowned self] _ in
            undecided[id] = nil
        }
        undecided[id] = script
        script.run()
    }

    /// A whole answer as it goes over the wire, for a connection of which no request was read.
    package static func bytes(of response: HTTPResponse) -> [UInt8] { OwnAnswer.whole(response) }

    /// Asks `accepted` again about a connection that waits since then; any other is left alone. The
    /// question comes later in the same turn.
    package func proceed(_ id: ConnectionID) {
        loop.post { [self] in
            guard !isStopping, let script = undecided.removeValue(forKey: id) else { return }
            scripts[ObjectIdentifier(script)] = nil
            decide(script.release(), id)
        }
    }

    /// From now on an exchange of the connection begins only when its head could have been read at a
    /// pace.
    ///
    /// The bytes of a head are in the kernel's buffer before that: its client can tell neither that
    /// nor when they are taken out there, but only when the exchange begins.
    ///
    /// - Parameter time: how long a head of so many bytes takes from its first line on.
    package func readHeads(
        of id: ConnectionID, taking time: @escaping (Int) -> Duration
    ) { headTimes[id] = time }

    /// True when the exchange has to wait for its head.
    func waitsForHead(_ exchange: HTTPExchange, _ request: PendingRequest, size: Int) -> Bool {
        guard let time = headTimes[exchange.connection] else { return false }
        let rest = request.began + time(size) - loop.now
        guard rest > .zero else { return false }
        exchange.headTimer = loop.timer(after: rest) { [weak self] in
            guard let self, exchange.stage == .queued else { return }
            exchange.headTimer = nil
            goOnLater(exchange)
        }
        return true
    }
}
