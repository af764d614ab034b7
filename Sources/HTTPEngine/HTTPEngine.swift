package import EventLoop
import StorageModel

/// HTTP/1.1 over our own listener, on one loop: libmicrohttpd as a parser and writer, every exchange
/// stopped where its handler wants it.
package final class HTTPEngine: @unchecked Sendable {
    // Invariant: confined to the loop.
    let loop: EventLoop
    private weak var handler: (any ExchangeHandler)?
    let limits: EngineLimits

    /// - Parameter handler: held weakly; it usually owns the engine.
    package init(loop: EventLoop, handler: any ExchangeHandler, limits: EngineLimits = .init()) {
        self.loop = loop
        self.handler = handler
        self.limits = limits
    }

    /// Listens. Call it on the loop.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address, or `localhost` for 127.0.0.1.
    ///   - port: 0 for any free port.
    /// - Returns: the port.
    package func start(host: String = "127.0.0.1", port: UInt16 = 0) throws(HTTPEngineError)
        -> UInt16
    {
        throw .noDaemon
    }

    /// Ends every connection, live, waiting and adopted alike; the exchanges under way end as `open`.
    /// Call it on the loop, once after each start.
    package func stop() {}

    /// The port answers nobody (RST to every SYN) until `listenAgain`; connections stay.
    package func refuseConnections() {}

    /// Takes the same port again after `refuseConnections`.
    package func listenAgain() throws(HTTPEngineError) {}

    /// One line for each exchange that waits, saying for what: for the report of a stuck run.
    package var waiting: [String] { [] }
}
