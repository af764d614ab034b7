import EventLoop
import FaultEngine
package import HTTPEngine
import StorageModel

// Connections through TLS, and the faults of their handshakes.
extension MockServer {
    /// A connection of which it is not known yet what its client makes of the handshake.
    struct Handshake {
        let plan: TLSPlan
        var record: ExchangeRecord
    }

    /// True where every connection is one through TLS, so that its faults can be carried out.
    package nonisolated var speaksTLS: Bool { authority != nil }

    /// The certificate of the authority that clients have to trust (PEM); nil: there is no TLS.
    package nonisolated var authorityCertificate: [UInt8]? { authority?.certificate }

    package nonisolated func tlsPlan(for connection: ConnectionID) -> TLSPlan {
        assumeIsolated { $0.handshakes[connection]?.plan ?? TLSPlan() }
    }

    package nonisolated func handshakeEnded(
        _ connection: ConnectionID, _ ending: HandshakeEnding
    ) {
        assumeIsolated { $0.note(ending, of: connection) }
    }

    /// Writes down a handshake that failed, and any that a fault had to do with.
    private func note(_ ending: HandshakeEnding, of connection: ConnectionID) {
        guard let handshake = handshakes.removeValue(forKey: connection) else { return }
        var record = handshake.record
        switch ending {
        case .done:
            // Some clients look at the certificate's name behind the handshake.
            if !record.faults.isEmpty { handshakes[connection] = handshake }
            return
        case .failed(let reason):
            record.handshake = reason
            record.ending = .disconnected
        case .clientLeft:
            record.handshake = "the client left during the handshake"
            record.ending = .clientLeft
        case .plainHTTP:
            record.handshake = "the client speaks plain HTTP; it was told to use https"
            record.ending = .disconnected
        }
        close(record)
    }

    /// A request came through TLS: its client has nothing against the handshake.
    func noteRequest(on connection: ConnectionID) {
        guard let handshake = handshakes.removeValue(forKey: connection) else { return }
        var record = handshake.record
        record.handshake = Self.words(forSuccessDespite: handshake.plan.flaws)
        record.ending = .complete
        close(record)
    }

    /// The connection is closed.
    func noteEnd(of connection: ConnectionID) {
        guard let handshake = handshakes.removeValue(forKey: connection) else { return }
        var record = handshake.record
        record.handshake = "the client left after the handshake, without a request"
        record.ending = .clientLeft
        close(record)
    }

    /// The server stops, or starts anew: nobody will say how they ended.
    func abandonHandshakes() {
        for (_, handshake) in handshakes.sorted(by: { $0.key < $1.key })
        where !handshake.record.faults.isEmpty {
            close(handshake.record)
        }
        handshakes = [:]
    }

    private func close(_ record: ExchangeRecord) {
        var record = record
        record.end = loop.now
        _ = journal.append(record)
        tell(.end(record))
    }

    /// A client that goes on after this does not look at what it should look at.
    private static func words(forSuccessDespite flaws: TLSPlan.Flaws) -> String {
        var reasons: [String] = []
        if flaws.contains(.expired) { reasons.append("has expired") }
        if flaws.contains(.wrongName) { reasons.append("is for another host") }
        if flaws.contains(.untrusted) { reasons.append("has an unknown signer") }
        if reasons.isEmpty { return "the handshake is done" }
        return "the client took the certificate, which " + reasons.joined(separator: " and ")
    }
}

extension TLSPlan {
    /// Takes one more fault in.
    mutating func add(_ fault: TLSFault) {
        switch fault {
        case .failHandshake: failsHandshake = true
        case .slowHandshake(let time): delay += time
        case .expired: flaws.insert(.expired)
        case .wrongName: flaws.insert(.wrongName)
        case .untrusted: flaws.insert(.untrusted)
        case .noCloseNotify: omitsCloseNotify = true
        }
    }
}
