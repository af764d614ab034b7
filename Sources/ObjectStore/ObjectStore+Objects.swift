package import StorageModel

extension ObjectStore {
    /// The live generation.
    package func object(_ name: String, in bucket: String) throws(StoreError) -> StoredObject {
        stored(try version(name, in: bucket))
    }

    /// What is remembered of answers about the live generation as it is now; nil where there is none.
    package func memo(of name: String, in bucket: String) -> AnswerMemo? {
        existingBucket(bucket)?.live(name)?.memo
    }

    /// Every generation that ever was, oldest first; deleted ones too.
    package func versions(of name: String, in bucket: String) -> [StoredObject] {
        (existingBucket(bucket)?.versions(of: name) ?? []).map(stored)
    }

    /// One generation, live or not; nil where there is none.
    package func object(_ name: String, in bucket: String, generation: Int64) -> StoredObject? {
        existingBucket(bucket)?.versions(of: name)
            .first { $0.attributes.generation == generation }.map(stored)
    }

    /// Names of the live objects of a bucket in the order of their bytes.
    package func liveNames(in bucket: String) -> [String] {
        existingBucket(bucket)?.liveNames.map(\.text) ?? []
    }

    /// Names of all objects that a bucket has or had, in the order of their bytes.
    package func allNames(in bucket: String) -> [String] {
        existingBucket(bucket)?.objects.keys.sorted().map(\.text) ?? []
    }

    /// Keeps given content, as other programs put it there: without a download token.
    ///
    /// Its sums are computed when they are first asked for. `contentEncoding: gzip` in the fields
    /// says that the content is compressed.
    package func put(
        _ content: any ByteSource, as name: String, in bucket: String,
        fields: ObjectFields = ObjectFields(), precondition: Precondition = Precondition()
    ) throws(StoreError) {
        _ = try insert(
            content, sums: nil, name: name, bucket: bucket, fields: fields,
            precondition: precondition, mintsToken: false)
    }

    /// Makes an object of a body that was received whole.
    package func put(
        _ body: StagedBody, as name: String, in bucket: String, fields: ObjectFields,
        precondition: Precondition = Precondition()
    ) throws(StoreError) -> StoredObject {
        if let refusal = body.refusal { throw refusal }
        let made = try insert(
            body.pieces, sums: body.digest?.sums, name: name, bucket: bucket, fields: fields,
            precondition: precondition, mintsToken: true)
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
        try self.bucket(bucket).delete(version)
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
}

extension ObjectStore {
    func version(_ name: String, in bucket: String) throws(StoreError) -> ObjectVersion {
        guard let version = try self.bucket(bucket).live(name) else {
            throw .noSuchObject(bucket: bucket, name: name)
        }
        return version
    }

    /// The value of a version, with its sums.
    func stored(_ version: ObjectVersion) -> StoredObject {
        if version.lacksSums { computeSums(of: version) }
        return StoredObject(
            attributes: version.attributes, body: version.body, isLive: version.isLive)
    }

    /// Adds a generation; nil sums are computed when they are first wanted.
    func insert(
        _ body: any ByteSource, sums: ContentDigest.Sums?, name: String,
        bucket bucketName: String, fields: ObjectFields, precondition: Precondition,
        mintsToken: Bool
    ) throws(StoreError) -> ObjectVersion {
        let bucket = try self.bucket(bucketName)
        try checkName(name)
        let live = bucket.live(name)?.attributes
        try precondition.check(
            generation: live?.generation, metageneration: live?.metageneration)
        guard body.count <= limits.objectSize else {
            throw .objectTooLarge(limit: limits.objectSize)
        }
        if isFull { throw .full }
        var attributes = ObjectAttributes(
            bucket: bucketName, name: name, generation: nextGeneration(), size: body.count,
            md5: sums?.md5 ?? [], crc32c: sums?.crc32c ?? 0, timeCreated: time)
        attributes.apply(fields)
        if mintsToken { attributes.downloadTokens = [newToken(name, in: bucketName)] }
        let made = ObjectVersion(attributes, body: body, lacksSums: sums == nil)
        bucket.add(made, limit: limits.generations)
        return made
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

    private func computeSums(of version: ObjectVersion) {
        version.lacksSums = false
        guard let body = version.body, body.count <= limits.summedSize else { return }
        let sums = ContentDigest(of: body).sums
        version.attributes.md5 = sums.md5
        version.attributes.crc32c = sums.crc32c
    }

    /// Rises with every call; 16 digits, microseconds since 1970 where the clock allows.
    private func nextGeneration() -> Int64 {
        lastGeneration = max(lastGeneration + 1, time * 1000, 1_000_000_000_000_000)
        return lastGeneration
    }
}
