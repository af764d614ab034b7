import EventLoop
import FaultEngine
package import HTTPEngine
import ObjectStore
package import StorageModel
import StorageWire

/// The engine's questions arrive on the loop, which is the actor's executor.
extension MockServer: ExchangeHandler {
    package nonisolated func accepted(_ connection: ConnectionID) -> AcceptVerdict {
        assumeIsolated { $0.takeUp(connection) }
    }

    package nonisolated func closed(_ connection: ConnectionID) {
        assumeIsolated { server in
            server.connections.remove(connection)
            server.silenced.remove(connection)
            server.noteEnd(of: connection)
            server.births[connection] = nil
            server.lastRuns[connection] = nil
            server.agedConnections.remove(connection)
            server.connectionNames[connection] = nil
            server.connectionPaces[connection] = nil
            server.arrivalLeft(connection)
        }
    }

    package nonisolated func reached(
        _ exchange: HTTPExchange, _ point: ExchangePoint
    ) -> ExchangeVerdict {
        assumeIsolated { server in
            if !server.handshakes.isEmpty { server.noteRequest(on: exchange.connection) }
            return server.answer(exchange, at: point)
        }
    }

    package nonisolated func received(
        _ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer
    ) {
        nonisolated(unsafe) let bytes = bytes
        assumeIsolated { $0.take(bytes, of: exchange) }
    }

    /// The exchange goes on, or ends next; its session is free for other requests.
    package nonisolated func clientLeft(_ exchange: HTTPExchange) {
        assumeIsolated { $0.run(of: exchange).call?.clientLeft() }
    }

    package nonisolated func ended(
        _ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending
    ) {
        assumeIsolated { $0.close(exchange, ending) }
    }

    package nonisolated func refused(_ request: BrokenRequest) {
        assumeIsolated { $0.note(request) }
    }

    package nonisolated func doorKey(_ exchange: HTTPExchange) -> DoorKey {
        assumeIsolated { server in
            let run = server.run(of: exchange)
            let direction =
                run.record.operation.isUpload
                ? "up" : run.record.operation.isDownload ? "down" : "other"
            let lane = "\(run.record.bucket ?? "")/\(run.record.path ?? "") \(direction)"
            return DoorKey(lane: lane, number: exchange.ordinal)
        }
    }
}

extension MockServer {
    /// Bodies without object bytes are looked at as JSON up to this size.
    private static let smallBodyLimit = 1 << 18

    /// Request body bytes came.
    private func take(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange) {
        let run = run(of: exchange)
        guard run.forced == nil, !run.isSettled, !run.isAbandoned, let call = run.call else {
            return
        }
        if !run.wire.operation.carriesObjectBytes, run.smallBody.count < Self.smallBodyLimit {
            run.smallBody += bytes
        }
        guard let seen = run.altered?.pass(bytes) else { return call.receive(bytes) }
        seen.withUnsafeBytes { call.receive($0) }
    }
}
