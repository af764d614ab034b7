import MockServer
import ObjectStore
import StorageModel

// Upload sessions, by their ordinal or their id.
extension ControlAPI {
    func sessionList(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery(["open"]) { return bad }
        let onlyOpen = call.query("open") != nil
        let values = backend { server in
            let now = server.store.wallClock()
            return server.store.allSessions.filter { !onlyOpen || $0.isOpen && now < $0.expiry }
                .map { Self.value($0, now) }
        }
        return ControlAnswer.json(.made(["sessions": .array(values)]))
    }

    func session(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery([]) { return bad }
        let key = call.parameter("session")
        return backend { server in
            let all = server.store.allSessions
            guard let found = all.first(where: { $0.id == key || String($0.ordinal) == key })
            else {
                return ControlAnswer.missing(
                    "upload session", key, among: all.suffix(100).map { String($0.ordinal) })
            }
            switch call.route {
            case .sessionExpire: found.expire()
            case .sessionCancel:
                guard found.isOpen else {
                    return ControlAnswer.error(
                        409, "upload session \(found.ordinal) is over, so it cannot be cancelled")
                }
                found.cancelByFault()
            default: break
            }
            return ControlAnswer.json(Self.value(found, server.store.wallClock()))
        }
    }

    private static func value(_ session: UploadSession, _ now: Int64) -> JSONValue {
        let isExpired = now >= session.expiry
        let state =
            switch session.state {
            case _ where isExpired: "expired"
            case .active: "active"
            case .final(let outcome): outcome.generation == nil ? "refused" : "stored"
            case .cancelled: "cancelled"
            }
        var generation: Int64?
        if case .final(let outcome) = session.state { generation = outcome.generation }
        return .made([
            "session": .count(session.ordinal), "id": .string(session.id),
            "bucket": .string(session.opening.bucket), "path": .string(session.opening.name),
            "state": .string(state), "received": .count(session.received),
            "told": session.told == session.received ? nil : .count(session.told),
            "declaredSize": session.opening.declaredSize.map(JSONValue.count),
            "generation": generation.map(JSONValue.count),
        ])
    }
}
