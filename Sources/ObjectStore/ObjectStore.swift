package import StorageModel

/// Buckets, objects with all their generations, and upload sessions, in memory.
///
/// Not `Sendable`: confined to whoever owns it. What it gives out are values.
package final class ObjectStore {
    package let limits: StoreLimits
    /// Milliseconds since 1970.
    package let wallClock: () -> Int64
    /// Added to the wall clock in every time that is told: the fault `server: {skew: 1h}`.
    package var skewMilliseconds: Int64 = 0
    /// True: there is no room for further objects (fault).
    package var isFull = false

    let seed: UInt64
    let meter: MemoryMeter
    let makesBuckets: Bool
    var buckets: [String: Bucket] = [:]
    var sessions: [String: UploadSession] = [:]
    var sessionOrder: [String] = []
    var lastGeneration: Int64 = 0
    var tokenCount = 0
    var expectations: [ObjectKey: [any ByteSource]] = [:]

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

    /// Names of the buckets, sorted.
    package var bucketNames: [String] { buckets.keys.sorted() }

    /// Makes sure that a bucket exists.
    package func bucket(_ name: String) throws(StoreError) -> Bucket {
        if let bucket = buckets[name] { return bucket }
        guard makesBuckets else { throw .noSuchBucket(name) }
        let bucket = Bucket()
        buckets[name] = bucket
        return bucket
    }

    /// A body to be received: from `start` on, going on from the session's sums where there is one.
    package func stage(
        _ name: String, in bucket: String, start: Int64 = 0, declared: Int64? = nil,
        session: UploadSession? = nil
    ) -> StagedBody {
        var digest = ContentDigest()
        if let session, session.received == start, session.digest.count == start {
            digest = session.digest
        }
        return StagedBody(
            start: start, declared: declared, digest: digest,
            expected: expectations[ObjectKey(bucket: bucket, name: name)] ?? [], meter: meter,
            sizeLimit: limits.objectSize)
    }

    /// Announces the content of an upload to come: where it comes as announced it is checked
    /// against it and takes no memory (`keep: verify`).
    package func expect(_ content: any ByteSource, for name: String, in bucket: String) {
        expectations[ObjectKey(bucket: bucket, name: name), default: []].append(content)
    }
}

/// Where an object is.
package struct ObjectKey: Hashable, Sendable {
    package var bucket: String
    package var name: String

    package init(bucket: String, name: String) {
        self.bucket = bucket
        self.name = name
    }
}

/// The objects of one bucket.
package final class Bucket {
    /// All generations by name, oldest first; never empty.
    var objects: [String: [ObjectVersion]] = [:]
    /// Names with a live generation, sorted by their UTF-8 bytes; nil: to be sorted anew.
    var sortedNames: [String]?
}

/// One generation as the store keeps it.
final class ObjectVersion {
    var attributes: ObjectAttributes
    var body: (any ByteSource)?
    var isLive = true
    /// True: the sums of the body were not computed yet.
    var lacksSums: Bool

    init(_ attributes: ObjectAttributes, body: any ByteSource, lacksSums: Bool) {
        self.attributes = attributes
        self.body = body
        self.lacksSums = lacksSums
    }
}
