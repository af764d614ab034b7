/// How a connection is taken into TLS: what is wrong with its handshake.
package struct TLSPlan: Hashable, Sendable {
    /// What is wrong with the certificate that the client is shown.
    package struct Flaws: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It was valid until yesterday.
        package static let expired = Flaws(rawValue: 1)
        /// It is for another host.
        package static let wrongName = Flaws(rawValue: 2)
        /// An authority has signed it that nobody knows.
        package static let untrusted = Flaws(rawValue: 4)
    }

    package var flaws: Flaws = []
    /// Silence before the server takes up the handshake, on the scenario's clock.
    package var delay = Duration.zero
    /// The server refuses the handshake: alert `handshake_failure`, then FIN.
    package var failsHandshake = false
    /// The server ends its connection by FIN alone, as if its process had died.
    package var omitsCloseNotify = false

    package init() {}
}

/// How a handshake ended.
package enum HandshakeEnding: Hashable, Sendable {
    case done
    /// The text says who gave it up, and why.
    case failed(String)
    /// The client closed or reset its connection first.
    case clientLeft
    /// The client speaks HTTP without TLS. It was told so.
    case plainHTTP
}
