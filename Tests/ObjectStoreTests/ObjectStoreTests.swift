import Checksums
import ObjectStore
import StorageModel
import Testing

@Suite("Object store")
struct ObjectStoreTests {
    @discardableResult
    private func upload(
        _ store: ObjectStore, _ name: String, _ bytes: [UInt8], piece: Int = 4096
    ) throws -> StoredObject {
        let body = store.stage(name, in: "b", declared: Int64(bytes.count))
        body.append(bytes, piece: piece)
        return try store.put(body, as: name, in: "b", fields: ObjectFields())
    }

    @Test("Keeps every generation, and the newest is live")
    func generations() throws {
        let store = makeStore()
        for round in 1...3 { try upload(store, "a", sample(round)) }
        let versions = store.versions(of: "a", in: "b")
        #expect(versions.map(\.isLive) == [false, false, true])
        #expect(versions.map(\.attributes.size) == [1, 2, 3])
        #expect(versions.map { $0.body?.allBytes } == [sample(1), sample(2), sample(3)])
        #expect(versions.map(\.attributes.metageneration) == [1, 1, 1])
        try store.delete("a", in: "b")
        #expect(store.versions(of: "a", in: "b").map(\.isLive) == [false, false, false])
        #expect(throws: StoreError.noSuchObject(bucket: "b", name: "a")) {
            try store.object("a", in: "b")
        }
        try upload(store, "a", sample(4))
        #expect(store.versions(of: "a", in: "b").count == 4)
    }

    @Test("Generations rise across names and are microseconds where the clock allows")
    func generationNumbers() throws {
        let clock = Clock()
        let store = makeStore(clock)
        let first = try upload(store, "a", [1]).attributes.generation
        let second = try upload(store, "z", [1]).attributes.generation
        clock.time += 1
        let third = try upload(store, "a", [1]).attributes.generation
        #expect(
            [first, second, third] == [
                1_714_564_800_000_000, 1_714_564_800_000_001, 1_714_564_800_001_000,
            ])
        let early = ObjectStore(buckets: nil, seed: 1, wallClock: { 0 })
        try early.put(ByteArraySource([]), as: "a", in: "x")
        #expect(try String(early.object("a", in: "x").attributes.generation).count == 16)
    }

    @Test("A skewed clock shows in the times that are told")
    func skew() throws {
        let store = makeStore()
        store.skewMilliseconds = 3_600_000
        #expect(try upload(store, "a", []).attributes.updated == 1_714_568_400_000)
    }

    @Test(
        "Computes the sums while bytes come, in pieces of any size",
        arguments: [1, 7, 4096, 1 << 20])
    func sums(piece: Int) throws {
        let content = sample(300_001)
        let object = try upload(makeStore(), "a", content, piece: piece)
        #expect(object.attributes.md5 == MD5.digest(of: content))
        #expect(object.attributes.crc32c == CRC32C.value(of: content))
        #expect(difference(object.body?.allBytes, content) == nil)
    }

    @Test("Given content is summed when it is first read, up to a size")
    func givenSums() throws {
        var limits = StoreLimits()
        limits.summedSize = 1000
        let store = makeStore(limits: limits)
        try store.put(SyntheticContent(size: 1000, seed: 1), as: "small", in: "b")
        try store.put(SyntheticContent(size: 1001, seed: 1), as: "large", in: "b")
        #expect(try store.object("small", in: "b").attributes.md5 == MD5.digest(of: sample(1000)))
        #expect(try store.object("large", in: "b").attributes.md5.isEmpty)
    }

    @Test("Takes given objects of a scenario, compressed ones and those of other buckets too")
    func given() throws {
        let store = ObjectStore(buckets: ["b", "c"], seed: 1, wallClock: { 0 })
        let text = Array("hello hello hello".utf8)
        var given = BackendSettings.GivenObject(
            path: "gs://c/x/y.txt", content: Content(.bytes(text), isGzipped: true),
            contentType: "text/plain")
        given.fields = ["cacheControl": "no-store"]
        given.custom = ["mood": "calm"]
        try store.put(given, defaultBucket: "b")
        let object = try store.object("x/y.txt", in: "c")
        #expect(object.attributes.contentEncoding == "gzip")
        #expect(object.attributes.cacheControl == "no-store")
        #expect(object.attributes.contentType == "text/plain")
        #expect(object.attributes.custom == ["mood": "calm"])
        #expect(Gzip.decompress(object.body?.allBytes ?? [], limit: 1000) == text)
        let file = BackendSettings.GivenObject(path: "f", content: Content(.file(path: "x")))
        #expect(throws: StoreError.contentNotRead("f")) {
            try store.put(file, defaultBucket: "b")
        }
    }

    @Test("Checked uploads take no memory, and read as what was sent")
    func verified() throws {
        let store = makeStore()
        let expected = SyntheticContent(size: 3_000_000, seed: 5)
        store.expect(SyntheticContent(size: 10, seed: 9), for: "a", in: "b")
        store.expect(expected, for: "a", in: "b")
        let object = try upload(store, "a", expected.allBytes)
        #expect(store.memoryUsed == 0)
        #expect(object.attributes.md5 == MD5.digest(of: expected.allBytes))
        #expect(object.body?.firstDifference(from: expected) == nil)
        #expect(object.body?.count == expected.count)
    }

    @Test("A checked upload that differs keeps what differs, and where is told")
    func verifiedDifference() throws {
        let store = makeStore()
        let expected = SyntheticContent(size: 1_000_000, seed: 5)
        store.expect(expected, for: "a", in: "b")
        var sent = expected.allBytes
        sent[700_000] ^= 1
        let object = try upload(store, "a", sent)
        #expect(difference(object.body?.allBytes, sent) == nil)
        #expect(object.body?.firstDifference(from: expected) == 700_000)
        #expect(store.memoryUsed > 0 && store.memoryUsed < 400_000)
        let shorter = try upload(store, "a", Array(expected.allBytes[..<1000]))
        #expect(shorter.body?.firstDifference(from: expected) == 1000)
    }

    @Test("Memory comes back when a session ends without an object")
    func memory() throws {
        let store = makeStore()
        func feed() throws -> UploadSession {
            let session = try store.open(
                UploadSession.Opening(bucket: "b", name: "s"), granularity: 1,
                lifetime: .seconds(1))
            let body = store.stage("s", in: "b", session: session)
            body.append(sample(100_000))
            _ = session.commit(body, keeping: .all, declared: nil, rule: .refuse)
            return session
        }
        let (expired, cancelled) = (try feed(), try feed())
        #expect(store.memoryUsed >= 200_000)
        expired.expire()
        cancelled.cancel()
        #expect(store.memoryUsed == 0)
    }

    @Test("Bytes of replaced generations make room, live ones do not")
    func eviction() throws {
        var limits = StoreLimits()
        limits.memory = 100_000
        let store = makeStore(limits: limits)
        for _ in 0..<5 { try upload(store, "a", sample(40_000)) }
        let versions = store.versions(of: "a", in: "b")
        #expect(versions.count == 5)
        #expect(versions[0].body == nil)
        #expect(difference(versions[4].body?.allBytes, sample(40_000)) == nil)
        #expect(versions[0].attributes.md5 == MD5.digest(of: sample(40_000)))
        #expect(throws: StoreError.outOfMemory(limit: 100_000)) {
            try upload(store, "b", sample(70_000))
        }
    }

    @Test("Counts sessions, and forgets the ended ones first")
    func sessionLimit() throws {
        var limits = StoreLimits()
        limits.sessions = 4
        let clock = Clock()
        let store = makeStore(clock, limits: limits)
        func open() throws -> UploadSession {
            try store.open(
                UploadSession.Opening(bucket: "b", name: "s"), granularity: 1,
                lifetime: .seconds(60))
        }
        let sessions = try (0..<4).map { _ in try open() }
        #expect(throws: StoreError.tooManySessions(limit: 4)) { try open() }
        sessions[1].cancel()
        #expect(try open().ordinal == 5)
        #expect(store.session(sessions[1].id) == nil && store.session(sessions[0].id) != nil)
        clock.time += 60_000
        #expect(store.session(sessions[0].id) == nil)
        #expect(try open().ordinal == 6)
        #expect(store.allSessions.count == 1)
    }

    @Test("Other seeds give other ids and tokens, the same seed the same")
    func ids() throws {
        func run(_ seed: UInt64) throws -> [String] {
            let store = makeStore(seed: seed)
            let token = try upload(store, "a", []).attributes.downloadTokens
            let id = try store.open(
                UploadSession.Opening(bucket: "b", name: "s"), granularity: 1,
                lifetime: .seconds(1)
            ).id
            return token + [id]
        }
        #expect(try run(1) == run(1))
        #expect(try Set(run(1)).isDisjoint(with: run(2)))
        let token = try run(1)[0]
        #expect(Array(token)[14] == "4" && "89ab".contains(Array(token)[19]))
    }

    @Test(
        "Preconditions fail or hold",
        arguments: [
            (5, nil, nil, nil, nil), (4, nil, nil, nil, .preconditionFailed),
            (0, nil, nil, nil, .preconditionFailed), (nil, 5, nil, nil, .notModified),
            (nil, 4, nil, nil, nil), (nil, 0, nil, nil, nil), (nil, nil, 2, nil, nil),
            (nil, nil, 1, nil, .preconditionFailed), (nil, nil, nil, 2, .notModified),
            (nil, nil, nil, 1, nil),
        ] as [(Int64?, Int64?, Int64?, Int64?, StoreError?)])
    func preconditions(
        match: Int64?, notMatch: Int64?, meta: Int64?, notMeta: Int64?, error: StoreError?
    ) {
        var condition = Precondition()
        condition.ifGenerationMatch = match
        condition.ifGenerationNotMatch = notMatch
        condition.ifMetagenerationMatch = meta
        condition.ifMetagenerationNotMatch = notMeta
        var thrown: StoreError?
        do { try condition.check(generation: 5, metageneration: 2) } catch { thrown = error }
        #expect(thrown == error)
    }

    @Test("Generation 0 means that there must be no object")
    func mustNotExist() throws {
        var condition = Precondition()
        condition.ifGenerationMatch = 0
        try condition.check(generation: nil, metageneration: nil)
        let store = makeStore()
        try store.put(ByteArraySource([]), as: "a", in: "b", precondition: condition)
        #expect(throws: StoreError.preconditionFailed) {
            try store.put(ByteArraySource([]), as: "a", in: "b", precondition: condition)
        }
    }
}
