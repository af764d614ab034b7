import Checksums
import MockServer
import ObjectStore
import Scenario
import StorageModel

// The objects of the backend, from outside of its protocol.
extension ControlAPI {
    private static let fieldNames = [
        "contentEncoding", "contentDisposition", "contentLanguage", "cacheControl",
    ]

    // MARK: All

    func objects(_ call: ControlCall) -> HTTPResponse {
        if call.method == "POST" { return putGiven(call) }
        if let bad = call.unknownQuery(["bucket", "prefix", "generations"]) { return bad }
        let showsAll = call.query("generations") != nil
        let prefix = call.query("prefix") ?? ""
        let values = backend { server -> [JSONValue] in
            let store = server.store
            let buckets = call.query("bucket").map { [$0] } ?? store.bucketNames
            return buckets.flatMap { bucket in
                let names =
                    showsAll ? store.allNames(in: bucket) : store.liveNames(in: bucket)
                return names.filter { $0.hasPrefix(prefix) }.flatMap { name in
                    store.versions(of: name, in: bucket).filter { showsAll || $0.isLive }
                        .map(Self.value)
                }
            }
        }
        return ControlAnswer.json(.made(["objects": .array(values)]))
    }

    /// Objects by their description, as `backend.objects` of a scenario.
    private func putGiven(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery(["bucket"]) { return bad }
        let reading = reader.objects(call.body)
        guard let given = reading.value else { return ControlAnswer.error(reading.remarks) }
        return backend { server in
            do throws(StoreError) {
                var put: [JSONValue] = []
                for object in given {
                    let place = server.place(of: object.path, in: call.query("bucket"))
                    try server.store.put(object, defaultBucket: place.bucket)
                    put.append(Self.value(try server.store.object(place.name, in: place.bucket)))
                }
                return ControlAnswer.json(.made(["objects": .array(put)]), status: 201)
            } catch {
                return Self.refusal(error)
            }
        }
    }

    // MARK: One

    func object(_ call: ControlCall) -> HTTPResponse {
        switch call.method {
        case "PUT": return put(call)
        case "DELETE":
            if let bad = call.unknownQuery(["bucket"]) { return bad }
            return withObject(call) { store, place throws(StoreError) in
                let object = try store.object(place.name, in: place.bucket)
                try store.delete(place.name, in: place.bucket)
                return ControlAnswer.json(.made(["removed": Self.value(object)]))
            }
        default:
            if let bad = call.unknownQuery(["bucket", "generation", "metadata"]) { return bad }
            return withObject(call) { store, place throws(StoreError) in
                let object = try Self.version(call.query("generation"), of: place, in: store)
                return call.query("metadata") != nil
                    ? ControlAnswer.json(Self.value(object)) : Self.content(object)
            }
        }
    }

    /// Takes the body of an object that is put, while it comes.
    func stage(_ call: ControlCall, declared: Int64?) -> StagedBody {
        backend { server in
            let place = server.place(of: call.parameter("path"), in: call.query("bucket"))
            return server.store.stage(place.name, in: place.bucket, declared: declared)
        }
    }

    private func put(_ call: ControlCall) -> HTTPResponse {
        let known = ["bucket"] + Self.fieldNames
        if let bad = call.unknownQuery(known, prefixes: ["custom."]) { return bad }
        return withObject(call) { store, place throws(StoreError) in
            guard let body = call.staged else {
                return ControlAnswer.error(500, "no body was taken")
            }
            let isNew = (try? store.object(place.name, in: place.bucket)) == nil
            let made = try store.put(
                body, as: place.name, in: place.bucket, fields: Self.fields(of: call))
            return ControlAnswer.json(Self.value(made), status: isNew ? 201 : 200)
        }
    }

    private static func fields(of call: ControlCall) -> ObjectFields {
        var fields = ObjectFields()
        fields.contentType = call.contentType
        fields.contentEncoding = call.query("contentEncoding")
        fields.contentDisposition = call.query("contentDisposition")
        fields.contentLanguage = call.query("contentLanguage")
        fields.cacheControl = call.query("cacheControl")
        for item in call.target.query where item.name.hasPrefix("custom.") {
            fields.custom[String(item.name.dropFirst(7))] = item.value ?? ""
        }
        return fields
    }

    private func withObject(
        _ call: ControlCall,
        _ body: @Sendable (ObjectStore, ObjectKey) throws(StoreError) -> HTTPResponse
    ) -> HTTPResponse {
        backend { server in
            let place = server.place(of: call.parameter("path"), in: call.query("bucket"))
            do throws(StoreError) {
                return try body(server.store, place)
            } catch {
                return Self.refusal(error)
            }
        }
    }

    private static func version(
        _ generation: String?, of place: ObjectKey, in store: ObjectStore
    ) throws(StoreError) -> StoredObject {
        guard let generation else { return try store.object(place.name, in: place.bucket) }
        let number = Int64(generation) ?? -1
        guard let found = store.object(place.name, in: place.bucket, generation: number) else {
            throw .noSuchObject(bucket: place.bucket, name: "\(place.name)#\(generation)")
        }
        return found
    }

    private static func content(_ object: StoredObject) -> HTTPResponse {
        guard let body = object.body else {
            return ControlAnswer.error(
                410, "the bytes of this generation had to go: the store's memory was full")
        }
        var answer = HTTPResponse(status: 200, headers: ControlAnswer.fields, body: body)
        answer.headers["Content-Type"] =
            object.attributes.contentType ?? "application/octet-stream"
        answer.headers["X-Squall-Generation"] = String(object.attributes.generation)
        return answer
    }

    // MARK: Telling

    private static func value(_ object: StoredObject) -> JSONValue {
        let attributes = object.attributes
        let hasSums = !attributes.md5.isEmpty
        let custom = attributes.custom.sorted { $0.key < $1.key }.map {
            JSONValue.Member(name: $0.key, value: .string($0.value))
        }
        return .made([
            "bucket": .string(attributes.bucket), "path": .string(attributes.name),
            "generation": .count(attributes.generation),
            "metageneration": .count(attributes.metageneration),
            "size": .count(attributes.size),
            "contentType": attributes.contentType.map(JSONValue.string),
            "contentEncoding": attributes.contentEncoding.map(JSONValue.string),
            "contentDisposition": attributes.contentDisposition.map(JSONValue.string),
            "contentLanguage": attributes.contentLanguage.map(JSONValue.string),
            "cacheControl": attributes.cacheControl.map(JSONValue.string),
            "custom": custom.isEmpty ? nil : .object(custom),
            "md5Hash": hasSums ? .string(Base64.encode(attributes.md5)) : nil,
            "crc32c": hasSums ? .string(CRC32C.base64(of: attributes.crc32c)) : nil,
            "live": .bool(object.isLive),
        ])
    }
}
