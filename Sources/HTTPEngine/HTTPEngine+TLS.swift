import EventLoop
import Glibc

// Connections through TLS: the engine itself works with plain ones.
extension HTTPEngine {
    /// Connections that are not over for their clients, although the engine may have left them.
    var secureCount: Int { handshakes.count + relays.count }

    /// Takes a connection into TLS.
    ///
    /// - Parameter serve: gets what the engine is to work with, after the handshake.
    func secure(
        _ descriptor: Int32, _ id: ConnectionID, _ authority: TLSAuthority, _ plan: TLSPlan,
        serve: @escaping (Int32) -> Void
    ) {
        guard let session = try? TLSSession(authority.credentials(for: plan.flaws)) else {
            handler?.handshakeEnded(id, .failed("the server has no memory left for a handshake"))
            return runScript([.close], on: descriptor, id)
        }
        let handshake = TLSHandshake(descriptor, on: loop, session: session, plan: plan) {
            [unowned self] handshake, outcome in
            handshakes[ObjectIdentifier(handshake)] = nil
            ended(outcome, descriptor, id, plan, serve)
        }
        handshakes[ObjectIdentifier(handshake)] = handshake
        handshake.begin()
    }

    private func ended(
        _ outcome: TLSHandshake.Outcome, _ descriptor: Int32, _ id: ConnectionID,
        _ plan: TLSPlan, _ serve: (Int32) -> Void
    ) {
        switch outcome {
        case .done(let session):
            handler?.handshakeEnded(id, .done)
            join(descriptor, id, session, plan, serve)
        case .failed(let reason, let farewell):
            handler?.handshakeEnded(id, .failed(reason))
            runScript([.send(farewell), .finishSending, .drain, .close], on: descriptor, id)
        case .clientLeft:
            handler?.handshakeEnded(id, .clientLeft)
            runScript([.close], on: descriptor, id)
        case .plainHTTP:
            handler?.handshakeEnded(id, .plainHTTP)
            let text = "This port speaks TLS: write https:// instead of http://."
            let answer = OwnAnswer.whole(.plain(400, text))
            runScript([.send(answer), .finishSending, .drain, .close], on: descriptor, id)
        }
    }

    private func join(
        _ descriptor: Int32, _ id: ConnectionID, _ session: TLSSession, _ plan: TLSPlan,
        _ serve: (Int32) -> Void
    ) {
        guard
            let pair = LoopbackPair(
                engineBuffer: listener?.receiveBuffer, relayBuffer: Self.relayBuffer)
        else { return runScript([.reset], on: descriptor, id) }
        let relay = TLSRelay(
            client: descriptor, engine: pair.relay, session: session, on: loop, peers: peers,
            omitsCloseNotify: plan.omitsCloseNotify
        ) { [unowned self] _ in relays[id] = nil }
        relays[id] = relay
        serve(pair.engine)
        relay.run()
    }

    /// After the engine's own connections were closed.
    func stopTLS() {
        for handshake in Array(handshakes.values) { handshake.stop() }
        handshakes = [:]
        for relay in Array(relays.values) { relay.stop() }
    }

    /// Bytes that the kernel keeps between the engine and the relay; it doubles the number.
    private static let relayBuffer: Int32 = 128 << 10
}
