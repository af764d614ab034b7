import ObjectStore
import StorageModel
import Testing

@Suite("Snapshots of a store")
struct StoreSnapshotTests {
    private func bytes(_ store: ObjectStore, _ name: String) -> [UInt8]? {
        (try? store.object(name, in: "b"))?.body?.allBytes
    }

    private func put(_ store: ObjectStore, _ name: String, _ text: String) throws {
        var fields = ObjectFields()
        fields.contentType = "text/plain"
        fields.custom = ["said": text]
        try store.put(ByteArraySource(Array(text.utf8)), as: name, in: "b", fields: fields)
    }

    @Test("A restored store has the bytes, the metadata and every generation of before")
    func restores() throws {
        let store = ObjectStore(buckets: ["b"], seed: 1) { 5_000 }
        try put(store, "a", "one")
        try put(store, "a", "two")
        try put(store, "gone", "x")
        try store.delete("gone", in: "b")
        let before = try store.object("a", in: "b").attributes
        let versions = store.versions(of: "a", in: "b").map(\.attributes)
        let snapshot = store.snapshot()

        try put(store, "a", "three")
        try put(store, "new", "y")
        try put(store, "gone", "again")
        try store.touch("a", in: "b")
        store.restore(snapshot)

        #expect(try store.object("a", in: "b").attributes == before)
        #expect(bytes(store, "a") == Array("two".utf8))
        #expect(store.versions(of: "a", in: "b").map(\.attributes) == versions)
        #expect(store.versions(of: "gone", in: "b").map(\.isLive) == [false])
        #expect(store.liveNames(in: "b") == ["a"])
        #expect(snapshot.objectCount == 1)
        #expect(snapshot.generationCount == 3)
        #expect(snapshot.size == 3)
    }

    @Test("What happens after a restore does not change the snapshot")
    func restoresTwice() throws {
        let store = ObjectStore(buckets: ["b"], seed: 1) { 0 }
        try put(store, "a", "one")
        let snapshot = store.snapshot()
        store.restore(snapshot)
        try store.touch("a", in: "b")
        try store.delete("a", in: "b")
        store.restore(snapshot)
        let object = try store.object("a", in: "b")
        #expect(object.attributes.metageneration == 1)
        #expect(object.isLive)
    }

    @Test("A change of metadata does not reach into a snapshot")
    func metadata() throws {
        let store = ObjectStore(buckets: ["b"], seed: 1) { 0 }
        try put(store, "a", "one")
        let snapshot = store.snapshot()
        var patch = ObjectPatch()
        patch.contentType = .set("image/png")
        _ = try store.update("a", in: "b", patch)
        store.restore(snapshot)
        #expect(try store.object("a", in: "b").attributes.contentType == "text/plain")
    }

    @Test("A generation made after a restore is newer than any that ever was")
    func generations() throws {
        let store = ObjectStore(buckets: ["b"], seed: 1) { 0 }
        let snapshot = store.snapshot()
        try put(store, "a", "one")
        let first = try store.object("a", in: "b").attributes.generation
        store.restore(snapshot)
        try put(store, "a", "one")
        #expect(try store.object("a", in: "b").attributes.generation > first)
    }

    @Test("A bucket that the snapshot does not have is gone, and is filled anew on its next use")
    func buckets() throws {
        let store = ObjectStore(buckets: nil, seed: 1) { 0 }
        store.fillsBucket = { [unowned store] name throws(StoreError) in
            try store.put(ByteArraySource([1]), as: "given", in: name)
        }
        try store.requireBucket("first")
        let snapshot = store.snapshot()
        try store.requireBucket("second")
        try store.delete("given", in: "first")
        store.restore(snapshot)
        #expect(store.bucketNames == ["first"])
        #expect(store.liveNames(in: "first") == ["given"])
        try store.requireBucket("second")
        #expect(store.liveNames(in: "second") == ["given"])
    }

    @Test("Memory of what was replaced is given back with the last snapshot that has it")
    func memory() throws {
        let store = ObjectStore(buckets: ["b"], seed: 1) { 0 }
        func upload(_ byte: UInt8) throws {
            let body = store.stage("a", in: "b", declared: 100_000)
            [UInt8](repeating: byte, count: 100_000).withUnsafeBytes { body.append($0) }
            _ = try store.put(body, as: "a", in: "b", fields: ObjectFields())
        }
        let empty = store.snapshot()
        try upload(1)
        var snapshot: StoreSnapshot? = store.snapshot()
        store.restore(empty)
        #expect(snapshot?.size == 100_000)
        #expect(store.memoryUsed == 100_000)
        snapshot = nil
        #expect(store.memoryUsed == 0)
    }

    @Test("Sessions of a new life have other ids, the same in every run")
    func sessionIDs() throws {
        func ids() throws -> [String] {
            let store = ObjectStore(buckets: ["b"], seed: 1) { 0 }
            return try (0..<2).map { _ in
                let session = try store.open(
                    UploadSession.Opening(bucket: "b", name: "a"), granularity: 1,
                    lifetime: .seconds(60))
                #expect(session.ordinal == 1)
                store.forgetSessions()
                #expect(store.session(evenExpired: session.id) == nil)
                return session.id
            }
        }
        let first = try ids()
        #expect(Set(first).count == 2)
        #expect(try ids() == first)
    }
}
