import ObjectStore
import StorageModel

/// Requests about stored objects.
extension CallInProgress {
    func finishObjectCall() throws(StoreError) -> HTTPResponse {
        let bucket = call.bucket ?? ""
        let name = path ?? ""
        let precondition: Precondition
        do throws(MetadataBody.Malformed) { precondition = try call.precondition() } catch {
            return malformed(error)
        }
        switch call.operation {
        case .list: return try list(bucket)
        case .delete:
            try store.delete(name, in: bucket, precondition: precondition)
            return HTTPResponse(status: 204)
        case .metadataUpdate: return try update(name, bucket, precondition)
        case .tokenCreate:
            guard call.target.first("create_token") == "true" else {
                return ErrorAnswer.response(
                    status: 400, message: "create_token takes no other value than true.")
            }
            return ObjectResource.response(try store.addToken(to: name, in: bucket).attributes)
        case .tokenDelete:
            let token = call.target.first("delete_token") ?? ""
            return ObjectResource.response(
                try store.removeToken(token, from: name, in: bucket).attributes)
        case .download, .downloadByURL:
            let object = try store.object(name, in: bucket)
            try object.check(precondition)
            return DownloadAnswer(
                object, call, limit: store.limits.gzippedSize,
                memo: store.memo(of: name, in: bucket)
            ).response
        default: return try metadataAnswer(name, bucket, precondition)
        }
    }

    private func metadataAnswer(
        _ name: String, _ bucket: String, _ precondition: Precondition
    ) throws(StoreError) -> HTTPResponse {
        let attributes = try metadata(name, bucket, precondition)
        let memo = store.memo(of: name, in: bucket)
        if let known = memo?.resource { return known }
        let answer = ObjectResource.response(attributes)
        memo?.resource = answer
        return answer
    }

    /// The object's metadata. An object that other programs put there has no download token: the
    /// first who reads its metadata here makes it get one, as in production (metageneration 2).
    private func metadata(
        _ name: String, _ bucket: String, _ precondition: Precondition
    ) throws(StoreError) -> ObjectAttributes {
        let object = try store.object(name, in: bucket)
        try object.check(precondition)
        guard object.attributes.downloadTokens.isEmpty else { return object.attributes }
        return try store.addToken(to: name, in: bucket).attributes
    }

    private func update(
        _ name: String, _ bucket: String, _ precondition: Precondition
    ) throws(StoreError) -> HTTPResponse {
        guard case .collect(let bytes) = intake, bytes.count <= Self.metadataLimit else {
            return ErrorAnswer.tooLarge
        }
        let patch: ObjectPatch
        do throws(MetadataBody.Malformed) {
            patch = try MetadataBody(parsing: bytes).patch()
        } catch {
            return malformed(error)
        }
        let object = try store.update(name, in: bucket, patch, precondition: precondition)
        return ObjectResource.response(object.attributes)
    }

    private func list(_ bucket: String) throws(StoreError) -> HTTPResponse {
        var query = ListQuery()
        query.prefix = call.target.first("prefix") ?? ""
        guard query.prefix.isEmpty || query.prefix.utf8.last == UInt8(ascii: "/") else {
            throw .invalidPrefix(query.prefix)
        }
        query.delimiter = call.target.first("delimiter")
        if let token = call.target.first("pageToken"), !token.isEmpty { query.pageToken = token }
        if let text = call.target.first("maxResults"), !text.isEmpty {
            guard let count = Int(text), count > 0 else { throw .invalidPageSize(text) }
            query.pageSize = min(count, 1000)
        }
        let page = try store.list(bucket, query)
        var members: [String: JSONValue] = [
            "prefixes": .array(page.prefixes.map(JSONValue.string)),
            "items": .array(
                page.items.map {
                    .object(sorting: [
                        "name": .string($0.name), "bucket": .string($0.bucket),
                    ])
                }),
        ]
        members["nextPageToken"] = page.nextPageToken.map(JSONValue.string)
        return ObjectResource.answer(.object(sorting: members))
    }
}

extension StoredObject {
    fileprivate func check(_ precondition: Precondition) throws(StoreError) {
        try precondition.check(
            generation: attributes.generation, metageneration: attributes.metageneration)
    }
}
