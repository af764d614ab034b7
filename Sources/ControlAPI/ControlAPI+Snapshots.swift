import MockServer
import ObjectStore
import StorageModel

// Snapshots of all objects, by name.
extension ControlAPI {
    func snapshotList() -> HTTPResponse {
        let values = snapshots.sorted { $0.key < $1.key }.map { Self.value($0.key, $0.value.value) }
        return ControlAnswer.json(.made(["snapshots": .array(values)]))
    }

    func snapshot(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery([]) { return bad }
        let name = call.parameter("snapshot")
        if call.method == "PUT" { return take(name) }
        guard let found = snapshots[name] else {
            return ControlAnswer.missing("snapshot", name, among: snapshots.keys.sorted())
        }
        switch (call.route, call.method) {
        case (.snapshotRestore, _):
            backend { $0.store.restore(found.value) }
            return ControlAnswer.json(.made(["restored": Self.value(name, found.value)]))
        case (_, "DELETE"):
            snapshots[name] = nil
            return ControlAnswer.json(.made(["removed": Self.value(name, found.value)]))
        default: return ControlAnswer.json(Self.value(name, found.value))
        }
    }

    private func take(_ name: String) -> HTTPResponse {
        guard ScalarText.isName(name), name.count <= 64 else {
            return ControlAnswer.error(
                400,
                "'\(name)' is no name: a small letter, then small letters, digits and '-', 64 at most"
            )
        }
        let isNew = snapshots[name] == nil
        guard !isNew || snapshots.count < options.snapshots else {
            return ControlAnswer.error(
                409, "there are \(options.snapshots) snapshots, the limit: remove one")
        }
        let made = backend { OnLoop(value: $0.store.snapshot()) }
        snapshots[name] = made
        return ControlAnswer.json(Self.value(name, made.value), status: isNew ? 201 : 200)
    }

    private static func value(_ name: String, _ snapshot: StoreSnapshot) -> JSONValue {
        .made([
            "snapshot": .string(name), "objects": .count(snapshot.objectCount),
            "generations": .count(snapshot.generationCount), "bytes": .count(snapshot.size),
        ])
    }
}
