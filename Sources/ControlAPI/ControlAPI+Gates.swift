import EventLoop
import MockServer
import StorageModel

// Gates: who waits at them, and their release.
extension ControlAPI {
    func gates(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery([]) { return bad }
        let (gates, now) = backend { ($0.gates, $0.loop.now) }
        let values = gates.map { Self.value($0, now) }
        return ControlAnswer.json(.made(["gates": .array(values)]))
    }

    func gate(_ call: ControlCall) -> HTTPResponse {
        let name = call.parameter("gate")
        let gates = backend { $0.gates }
        guard let gate = gates.first(where: { $0.name == name }) else {
            return ControlAnswer.missing("gate", name, among: gates.map(\.name))
        }
        if let bad = call.unknownQuery(call.route == .gateRelease ? ["once"] : []) { return bad }
        let now = backend { $0.loop.now }
        switch call.route {
        case .gateRelease: return release(gate, once: call.query("once") != nil)
        case .gateClose:
            backend { $0.closeGate(name) }
            return ControlAnswer.json(
                .made([
                    "gate": .string(name), "closed": .bool(true),
                    "note": .string("whoever comes to it from now on waits"),
                ]))
        default: return ControlAnswer.json(Self.value(gate, now))
        }
    }

    private func release(_ gate: GateState, once: Bool) -> HTTPResponse {
        backend { server in
            if once { server.openGateOnce(gate.name) } else { server.openGate(gate.name) }
        }
        let left = Set(
            backend { $0.gates }.first { $0.name == gate.name }?.waiting.map(\.record.ordinal) ?? []
        )
        let freed = gate.waiting.filter { !left.contains($0.record.ordinal) }
        let note =
            switch (once, gate.waiting.isEmpty) {
            case (true, true): "nobody waited, and nothing is remembered"
            case (true, false): "whoever comes to it from now on waits"
            case (false, true): "nobody waited; it is remembered, and whoever comes to it passes"
            case (false, false): "whoever comes to it from now on passes"
            }
        return ControlAnswer.json(
            .made([
                "gate": .string(gate.name), "released": .bool(!once),
                "freed": .array(freed.map { .count($0.record.ordinal) }),
                "waiting": left.isEmpty ? nil : .array(left.sorted().map(JSONValue.count)),
                "note": .string(note),
            ]))
    }

    private static func value(_ gate: GateState, _ now: Duration) -> JSONValue {
        .made([
            "gate": .string(gate.name), "released": .bool(gate.released != nil),
            "releasedAt": gate.released.map(JSONValue.time),
            "waiting": .array(
                gate.waiting.map { waiter in
                    .made([
                        "exchange": .count(waiter.record.ordinal),
                        "operation": .string(waiter.record.operation.rawValue),
                        "bucket": waiter.record.bucket.map(JSONValue.string),
                        "path": waiter.record.path.map(JSONValue.string),
                        "at": .string(waiter.place), "since": .time(waiter.since),
                        "waited": .time(now - waiter.since),
                        "faults": .array(waiter.record.faults.map { .string($0.name) }),
                    ])
                }),
        ])
    }
}
