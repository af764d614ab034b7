import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What is answered when its result is there, and where things are.
extension StorageScenario {
    static var hello: Fields {
        let capabilities =
            [
                "upload.data", "upload.file", "download.memory", "download.file", "pause", "resume",
                "cancel", "observe", "handles", "inside", "snapshots", "snapshot-task", "metadata",
                "list", "delete", "url", "reference", "instances", "limits", "chunk-size",
                "release",
            ] + StorageLibrary.extraCapabilities
        return [
            "name": StorageLibrary.name, "version": "1.0", "protocol": 1,
            "profile": StorageLibrary.profile, "capabilities": capabilities,
        ]
    }

    func operate(_ command: Message, _ answer: @escaping Answer) throws {
        switch command.verb {
        case "get-metadata":
            try reference(to: command).getMetadata(completion: Self.metadataAnswer(answer))
        case "update-metadata":
            guard let change = Self.change(command.fields["set"] as? Fields ?? [:]) else {
                return answer(["unsupported": "custom metadata is cleared key by key"])
            }
            try reference(to: command).updateMetadata(
                change, completion: Self.metadataAnswer(answer))
        case "delete":
            try reference(to: command).delete { error in
                answer(error.map { ["error": Self.describe($0)] } ?? [:])
            }
        case "url":
            try reference(to: command).downloadURL { (url: URL?, error: (any Error)?) in
                answer(Self.result("url", url?.absoluteString, error))
            }
        case "list", "list-all": try list(command, answer)
        case "reference": answer(["reference": try Self.describe(named(by: command))])
        case "fetch": fetch(command, answer)
        default: answer(["unsupported": "the library has no '\(command.verb)'"])
        }
    }

    private static func result(_ key: String, _ value: Any?, _ error: (any Error)?) -> Fields {
        if let value { return [key: value] }
        return ["error": describe(error ?? URLError(.unknown))]
    }

    private static func metadataAnswer(
        _ answer: @escaping Answer
    ) -> @Sendable (StorageMetadata?, (any Error)?) -> Void {
        { answer(result("metadata", $0.map(texts), $1)) }
    }

    private func list(_ command: Message, _ answer: @escaping Answer) throws {
        let place = try storage(command).reference(withPath: command.text("prefix") ?? "")
        let done: @Sendable (StorageListResult?, (any Error)?) -> Void = { list, error in
            let page = list.map { list -> Fields in
                var page: Fields = [
                    "items": list.items.map(\.fullPath), "prefixes": list.prefixes.map(\.fullPath),
                ]
                page["nextPageToken"] = list.pageToken
                return page
            }
            answer(Self.result("page", page, error))
        }
        let count = command.number("maxResults") ?? 1000
        if command.verb == "list-all" {
            place.listAll(completion: done)
        } else if let token = command.text("pageToken") {
            place.list(maxResults: count, pageToken: token, completion: done)
        } else {
            place.list(maxResults: count, completion: done)
        }
    }

    private func fetch(_ command: Message, _ answer: @escaping Answer) {
        guard let url = URL(string: command.text("url") ?? "") else {
            return answer(["unsupported": "this is no URL"])
        }
        let path = command.text("into") ?? ""
        URLSession.shared.dataTask(with: url) { [queue] data, response, error in
            queue.async {
                guard let response = response as? HTTPURLResponse else {
                    return answer(["error": Self.describe(error ?? URLError(.unknown))])
                }
                _ = FileManager.default.createFile(atPath: path, contents: data ?? Data())
                let headers = response.allHeaderFields.map { ["\($0.key)", "\($0.value)"] }
                answer([
                    "fetched": [
                        "status": response.statusCode, "headers": headers, "body": path,
                    ]
                ])
            }
        }.resume()
    }

    // MARK: Places

    func reference(to command: Message) throws -> StorageReference {
        let storage = try storage(command)
        let path = command.text("object") ?? ""
        return path.isEmpty ? storage.reference() : storage.reference(withPath: path)
    }

    private func named(by command: Message) throws -> StorageReference {
        let storage = try storage(command)
        if let path = command.text("path") { return storage.reference(withPath: path) }
        guard let url = URL(string: command.text("url") ?? "") else { throw URLError(.badURL) }
        return try storage.reference(for: url)
    }

    private static func describe(_ reference: StorageReference) -> Fields {
        var fields: Fields = [
            "name": reference.name, "path": reference.fullPath, "bucket": reference.bucket,
        ]
        fields["parent"] = reference.parent()?.fullPath
        return fields
    }

    /// One for each instance and bucket, made at its first use.
    private func storage(_ command: Message) throws -> Storage {
        let instance = command.text("instance") ?? ""
        let instances = configuration.fields["instances"] as? [String: String] ?? [:]
        let bucket =
            command.text("bucket") ?? instances[instance] ?? configuration.text("bucket") ?? ""
        if let known = storages[instance + " " + bucket] { return known }
        let storage = try StorageLibrary.storage(
            bucket: bucket, run: configuration.number("run") ?? 0, queue: queue)
        storage.useEmulator(
            withHost: configuration.text("host") ?? "",
            port: Int(configuration.number("port") ?? 0))
        func seconds(_ key: String) -> TimeInterval {
            TimeInterval(configuration.number(key) ?? 0) / 1000
        }
        storage.maxUploadRetryTime = seconds("maxUploadRetryMs")
        storage.maxDownloadRetryTime = seconds("maxDownloadRetryMs")
        storage.maxOperationRetryTime = seconds("maxOperationRetryMs")
        storage.uploadChunkSizeBytes = configuration.number("chunkSize") ?? .max
        storages[instance + " " + bucket] = storage
        return storage
    }
}
