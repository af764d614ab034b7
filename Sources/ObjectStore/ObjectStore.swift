package import StorageModel

/// Buckets, objects with all their generations, and upload sessions, in memory.
///
/// Not `Sendable`: confined to whoever owns it. What it gives out of objects are values.
package final class ObjectStore {
    package let limits: StoreLimits
    /// Added to the wall clock in every time that is told: the fault `server: {skew: 1h}`.
    package var skewMilliseconds: Int64 = 0
    /// True: there is no room for further objects (fault `server: {full: true}`).
    package var isFull = false

    let seed: UInt64
    package let wallClock: () -> Int64
    let meter: MemoryMeter
    private let makesBuckets: Bool
    /// Called with each bucket that is made on first use, to put into it what it begins with.
    package var fillsBucket: ((String) throws(StoreError) -> Void)?
    var buckets: [String: Bucket] = [:]
    private var expectations: [String: [NameKey: [any ByteSource]]] = [:]
    var lastGeneration: Int64 = 0
    var tokenCount = 0
    var sessions: [String: UploadSession] = [:]
    /// How often everything began anew: other lives give other ids to upload sessions.
    var life = 0
    /// Sessions started so far.
    package internal(set) var sessionCount = 0

    /// Creates a store with nothing in it.
    ///
    /// - Parameters:
    ///   - buckets: those that exist; nil: each is made on first use.
    ///   - seed: from which ids and tokens are drawn.
    ///   - wallClock: milliseconds since 1970; may stand still, never goes back.
    package init(
        buckets names: [String]?, limits: StoreLimits = StoreLimits(), seed: UInt64,
        wallClock: @escaping () -> Int64
    ) {
        self.limits = limits
        self.seed = seed
        self.wallClock = wallClock
        meter = MemoryMeter(limit: limits.memory)
        makesBuckets = names == nil
        for name in names ?? [] { buckets[name] = Bucket() }
    }

    /// Bytes of memory that contents take.
    package var memoryUsed: Int64 { meter.used }

    /// The time that goes into metadata, in milliseconds since 1970.
    package var time: Int64 { wallClock() + skewMilliseconds }

    /// Live objects of all buckets.
    package var objectCount: Int { buckets.values.reduce(0) { $0 + $1.liveNames.count } }

    /// Names of the buckets, sorted.
    package var bucketNames: [String] { buckets.keys.sorted() }

    /// Throws where there is no such bucket and none is made on first use.
    package func requireBucket(_ name: String) throws(StoreError) { _ = try bucket(name) }

    func bucket(_ name: String) throws(StoreError) -> Bucket {
        if let bucket = buckets[name] { return bucket }
        guard makesBuckets, !name.isEmpty else { throw .noSuchBucket(name) }
        let bucket = Bucket()
        buckets[name] = bucket
        try fillsBucket?(name)
        return bucket
    }

    /// The bucket where there is one; none is made.
    func existingBucket(_ name: String) -> Bucket? { buckets[name] }

    /// Announces the content of an upload to come: where it comes as announced it is checked
    /// against it and takes no memory (`keep: verify`). What differs is kept as it came.
    package func expect(_ content: any ByteSource, for name: String, in bucket: String) {
        expectations[bucket, default: [:]][NameKey(name), default: []].append(content)
    }

    /// A body to be received.
    ///
    /// - Parameters:
    ///   - start: the object byte at which it begins.
    ///   - declared: its length, if known.
    ///   - session: the session that it belongs to.
    package func stage(
        _ name: String, in bucket: String, start: Int64 = 0, declared: Int64? = nil,
        session: UploadSession? = nil
    ) -> StagedBody {
        let first = start == 0 ? ContentDigest() : nil
        let digest =
            session.map { $0.digest(at: start, upTo: limits.summedSize) } ?? first
        return StagedBody(
            start: start, declared: declared, digest: digest,
            expected: expectations[bucket]?[NameKey(name)] ?? [], meter: meter,
            sizeLimit: limits.objectSize, makeRoom: { [weak self] in self?.makeRoom($0) ?? false })
    }

    /// Drops bytes of replaced generations, the oldest first, until there is room.
    private func makeRoom(_ bytes: Int64) -> Bool {
        let replaced = buckets.values.flatMap(\.replacedVersions)
            .sorted { $0.attributes.generation < $1.attributes.generation }
        for version in replaced where meter.used + bytes > meter.limit { version.body = nil }
        if meter.used + bytes > meter.limit { forgetExpiredSessions() }
        return meter.used + bytes <= meter.limit
    }
}
