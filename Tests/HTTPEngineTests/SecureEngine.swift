import HTTPEngine
import WireProbe

/// An engine behind TLS, and clients that trust it.
struct SecureEngine {
    let run: EngineRun
    let authority: TLSAuthority

    /// Runs `body` against an engine with an authority of its own, stopped afterwards.
    static func with(
        _ plan: Plan = Plan(), limits: EngineLimits = .init(),
        _ body: (SecureEngine) throws -> Void
    ) throws {
        let authority = try TLSAuthority(names: ["localhost", "127.0.0.1", "::1"])
        try withEngine(plan, limits: limits, authority: authority) { run in
            try body(SecureEngine(run: run, authority: authority))
        }
    }

    /// A client after its handshake.
    func client(
        version: TLSProbe.Version = .tls13, receiveBuffer: Int32? = nil
    ) throws -> TLSProbe {
        try TLSProbe(
            port: run.port, authority: authority.certificate, version: version,
            receiveBuffer: receiveBuffer)
    }

    /// A client before its handshake.
    func stranger(
        trusts: Bool = true, name: String = "localhost", version: TLSProbe.Version = .tls13,
        protocols: [String] = ["http/1.1"]
    ) throws -> TLSProbe {
        try TLSProbe(
            run.probe(), authority: trusts ? authority.certificate : nil, name: name,
            version: version, protocols: protocols)
    }
}
