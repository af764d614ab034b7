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
            server.connectionNames[connection] = nil
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
    /// A connection was accepted: the faults of `connect`.
    private func takeUp(_ connection: ConnectionID) -> AcceptVerdict {
        connections.insert(connection)
        var facts = ExchangeFacts(
            operation: .connect, method: "", target: "", connection: name(of: connection),
            time: loop.now)
        facts.isReused = false
        var plan = injector.plan(facts)
        _ = injector.arrive(.connect, &plan, at: loop.now)
        var record = ExchangeRecord(
            ordinal: 0, connection: facts.connection, operation: .connect, method: "",
            target: "", start: loop.now)
        var verdict = AcceptVerdict.proceed
        var tls = TLSPlan()
        while let firing = injector.take(.connect, &plan, at: loop.now) {
            record.faults.append(firing.fired)
            tell(.fault(record, firing.fired))
            for action in firing.rule.actions {
                if let end = Self.acceptVerdict(action) { verdict = end }
                if case .tls(let fault) = action { tls.add(fault) }
            }
        }
        recheck()
        if authority != nil, verdict == .proceed {
            handshakes[connection] = Handshake(plan: tls, record: record)
            return verdict
        }
        guard !record.faults.isEmpty else { return verdict }
        record.end = loop.now
        record.ending = verdict == .proceed ? .complete : .disconnected
        _ = journal.append(record)
        tell(.end(record))
        return verdict
    }

    private static func acceptVerdict(_ action: FaultAction) -> AcceptVerdict? {
        switch action {
        case .disconnect(.close), .disconnect(.half): .close
        case .disconnect(.reset): .reset
        case .silence: .silence
        case .raw(let bytes): .send(bytes)
        case .respond, .delay, .drop, .hold, .stall, .throttle, .slice, .corrupt, .headers, .json,
            .length, .framing, .interim, .expectContinue, .refuse, .range, .hash, .redirect, .tls,
            .keepAlive, .backend:
            nil
        }
    }

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
