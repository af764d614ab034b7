package import StorageModel

extension ObjectStore {
    /// The live generation.
    package func object(_ name: String, in bucket: String) throws(StoreError) -> StoredObject {
        stored(try version(name, in: bucket))
    }

    /// Every generation that ever was, oldest first; deleted ones too.
    package func versions(of name: String, in bucket: String) -> [StoredObject] {
        (buckets[bucket]?.objects[name] ?? []).map(stored)
    }

    /// Keeps given content; `contentEncoding: gzip` in the fields says that it is compressed.
    @discardableResult
    package func put(
        _ content: any ByteSource, as name: String, in bucket: String, fields: ObjectFields,
        precondition: Precondition = Precondition()
    ) throws(StoreError) -> StoredObject {
        let (made, _) = try insert(
            content, sums: nil, name: name, bucket: bucket, fields: fields,
            precondition: precondition)
        return stored(made)
    }

    /// Makes an object of a body that was received whole.
    package func put(
        _ body: StagedBody, as name: String, in bucket: String, fields: ObjectFields,
        precondition: Precondition = Precondition()
    ) throws(StoreError) -> StoredObject {
        if let refusal = body.refusal { throw refusal }
        let (made, _) = try insert(
            body.pieces, sums: body.digest.sums(), name: name, bucket: bucket, fields: fields,
            precondition: precondition)
        return stored(made)
    }

    /// Changes metadata: metageneration + 1.
    package func update(
        _ name: String, in bucket: String, _ patch: ObjectPatch,
        precondition: Precondition = Precondition()
    ) throws(StoreError) -> StoredObject {
        let version = try version(name, in: bucket)
        try check(precondition, version)
        version.attributes.apply(patch)
        touch(version)
        return stored(version)
    }

    /// Takes the live generation away; it stays among the versions.
    package func delete(
        _ name: String, in bucket: String, precondition: Precondition = Precondition()
    ) throws(StoreError) {
        let version = try version(name, in: bucket)
        try check(precondition, version)
        version.isLive = false
        buckets[bucket]?.sortedNames = nil
    }

    /// Metageneration + 1 and a new time of change, without another change (fault `touch`).
    package func touch(_ name: String, in bucket: String) throws(StoreError) {
        touch(try version(name, in: bucket))
    }

    /// Gives the object a download token; metageneration + 1.
    package func addToken(to name: String, in bucket: String) throws(StoreError) -> StoredObject {
        let version = try version(name, in: bucket)
        version.attributes.downloadTokens.append(newToken(name, in: bucket))
        touch(version)
        return stored(version)
    }

    /// Takes a download token away; where it was the last, a new one takes its place.
    package func removeToken(
        _ token: String, from name: String, in bucket: String
    ) throws(StoreError) -> StoredObject {
        let version = try version(name, in: bucket)
        version.attributes.downloadTokens.removeAll { $0 == token }
        if version.attributes.downloadTokens.isEmpty {
            version.attributes.downloadTokens = [newToken(name, in: bucket)]
        }
        touch(version)
        return stored(version)
    }
}

extension ObjectStore {
    func version(_ name: String, in bucket: String) throws(StoreError) -> ObjectVersion {
        guard let last = try self.bucket(bucket).objects[name]?.last, last.isLive else {
            throw .noSuchObject(bucket: bucket, name: name)
        }
        return last
    }

    private func touch(_ version: ObjectVersion) {
        version.attributes.metageneration += 1
        version.attributes.updated = time
    }

    private func check(
        _ precondition: Precondition, _ version: ObjectVersion
    ) throws(StoreError) {
        try precondition.check(
            generation: version.attributes.generation,
            metageneration: version.attributes.metageneration)
    }

    /// The value of a version, with its sums.
    func stored(_ version: ObjectVersion) -> StoredObject {
        if version.lacksSums { computeSums(of: version) }
        return StoredObject(
            attributes: version.attributes, body: version.body, isLive: version.isLive)
    }

    private func computeSums(of version: ObjectVersion) {
        version.lacksSums = false
        guard let body = version.body, body.count <= limits.checksummedGivenSize else { return }
        let digest = ContentDigest(of: body)
        (version.attributes.md5, version.attributes.crc32c) = digest.sums()
    }

    /// Adds a generation; nil sums are computed when they are first wanted.
    func insert(
        _ body: any ByteSource, sums: (md5: [UInt8], crc32c: UInt32)?, name: String,
        bucket bucketName: String, fields: ObjectFields, precondition: Precondition
    ) throws(StoreError) -> (made: ObjectVersion, replaced: ObjectVersion?) {
        let bucket = try self.bucket(bucketName)
        try checkName(name)
        let last = bucket.objects[name]?.last
        let live = last?.isLive == true ? last : nil
        try precondition.check(
            generation: live?.attributes.generation,
            metageneration: live?.attributes.metageneration)
        guard body.count <= limits.objectSize else {
            throw .objectTooLarge(limit: limits.objectSize)
        }
        if isFull { throw .full }
        var attributes = ObjectAttributes(
            bucket: bucketName, name: name, generation: nextGeneration(), size: body.count,
            md5: sums?.md5 ?? [], crc32c: sums?.crc32c ?? 0, timeCreated: time)
        attributes.apply(fields)
        attributes.downloadTokens = [newToken(name, in: bucketName)]
        let made = ObjectVersion(attributes, body: body, lacksSums: sums == nil)
        live?.isLive = false
        bucket.objects[name, default: []].append(made)
        if live == nil { bucket.sortedNames = nil }
        return (made, live)
    }

    /// Throws where no object may have this name.
    package func checkName(_ name: String) throws(StoreError) {
        if name.isEmpty { throw .invalidName("it is empty") }
        if name.utf8.count > limits.nameLength {
            throw .invalidName("it is longer than \(limits.nameLength) bytes")
        }
        if name.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
            throw .invalidName("it has a line end or a zero byte in it")
        }
        if name == "." || name == ".." { throw .invalidName("it is '\(name)'") }
    }

    /// Rises with every call; 16 digits, microseconds since 1970 where the clock allows.
    private func nextGeneration() -> Int64 {
        lastGeneration = max(lastGeneration + 1, time * 1000, 1_000_000_000_000_000)
        return lastGeneration
    }
}

extension ObjectAttributes {
    mutating func apply(_ fields: ObjectFields) {
        contentType = fields.contentType
        contentEncoding = fields.contentEncoding
        contentDisposition = fields.contentDisposition
        contentLanguage = fields.contentLanguage
        cacheControl = fields.cacheControl
        custom = fields.custom
    }

    mutating func apply(_ patch: ObjectPatch) {
        func change(_ field: inout String?, _ change: ObjectPatch.Change?) {
            switch change {
            case .set(let value): field = value
            case .clear: field = nil
            case nil: break
            }
        }
        change(&contentType, patch.contentType)
        change(&contentEncoding, patch.contentEncoding)
        change(&contentDisposition, patch.contentDisposition)
        change(&contentLanguage, patch.contentLanguage)
        change(&cacheControl, patch.cacheControl)
        if patch.clearsCustom { custom = [:] }
        for (key, change) in patch.custom {
            switch change {
            case .set(let value): custom[key] = value
            case .clear: custom[key] = nil
            }
        }
    }
}
