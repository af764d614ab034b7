import EventLoop
import FaultEngine
import HTTPEngine
import MockServer
import ObjectStore
import StorageModel

// What each route does, and the routes that need little.
extension ControlAPI {
    /// The version of the paths and of what is behind them.
    static let version = 1

    func perform(_ call: ControlCall) -> ExchangeVerdict {
        if call.route == .journalFollow { return follow(call) }
        return .respond(answer(call))
    }

    private func answer(_ call: ControlCall) -> HTTPResponse {
        switch call.route {
        case .index: index()
        case .health: health()
        case .faults: faults(call)
        case .fault: fault(call)
        case .gates: gates(call)
        case .gate, .gateRelease, .gateClose: gate(call)
        case .objects: objects(call)
        case .object: object(call)
        case .snapshots: snapshotList()
        case .snapshot, .snapshotRestore: snapshot(call)
        case .sessions: sessionList(call)
        case .session, .sessionExpire, .sessionCancel: session(call)
        case .journal: journal(call)
        case .journalFollow: ControlAnswer.unknownRoute()
        case .backend: backendAction(call)
        case .reset: reset(call)
        }
    }

    private func index() -> HTTPResponse {
        ControlAnswer.json(
            .made([
                "tool": .string(options.tool), "api": .count(Self.version),
                "routes": ControlAnswer.routes,
            ]))
    }

    private func health() -> HTTPResponse {
        backend { server in
            let accounts = server.faultAccounts
            let sessions = server.store.allSessions
            return ControlAnswer.json(
                .made([
                    "status": .string(server.portLost == nil ? "ok" : "broken"),
                    "problem": server.portLost.map(JSONValue.string),
                    "tool": .string(options.tool), "api": .count(Self.version),
                    "uptime": .time(.nanoseconds(EventLoop.monotonic() - birth)),
                    "resets": .count(server.resets),
                    "exchanges": .count(server.exchangeCount),
                    "open": .count(server.openExchanges),
                    "connections": .count(server.openConnections),
                    "complaints": .count(server.complaints.count),
                    "objects": .count(server.store.objectCount),
                    "bytes": .count(server.store.memoryUsed),
                    "sessions": .made([
                        "open": .count(sessions.count(where: \.isOpen)),
                        "started": .count(server.store.sessionCount),
                    ]),
                    "faults": .made([
                        "there": .count(accounts.count { !$0.isRemoved }),
                        "fired": .count(accounts.reduce(0) { $0 + $1.fired }),
                    ]),
                    "gates": .made([
                        "waiting": .count(server.gates.reduce(0) { $0 + $1.waiting.count })
                    ]),
                ]))
        }
    }

    /// What cannot be done to the backend.
    static func refusal(_ error: MockServerError) -> HTTPResponse {
        let status =
            switch error {
            case .noSession, .badObject: 409
            case .cannotListen, .unreadableFile, .noCertificate: 400
            }
        return ControlAnswer.error(status, error.description)
    }

    /// What the store refuses.
    static func refusal(_ error: StoreError) -> HTTPResponse {
        let status =
            switch error {
            case .noSuchBucket, .noSuchObject: 404
            case .preconditionFailed, .notModified: 412
            case .objectTooLarge: 413
            case .outOfMemory, .full: 507
            case .tooManySessions: 429
            case .invalidName, .contentNotRead, .invalidPrefix, .invalidPageToken,
                .invalidPageSize:
                400
            }
        return ControlAnswer.error(status, error.description)
    }
}
