import StorageModel

/// The objects of a store at one moment: every bucket, every generation, its metadata and bytes.
///
/// No byte is copied: contents never change once they are stored. A content that the store has
/// replaced since takes memory for as long as a snapshot holds it. Upload sessions are no part of it.
package struct StoreSnapshot {
    let buckets: [String: Bucket]

    /// Live objects.
    package let objectCount: Int
    /// All generations, live or not.
    package let generationCount: Int
    /// Bytes of the live objects.
    package let size: Int64

    init(_ buckets: [String: Bucket]) {
        let versions = buckets.values.flatMap(\.allVersions)
        let live = versions.filter(\.isLive)
        self.buckets = buckets
        objectCount = live.count
        generationCount = versions.count
        size = live.reduce(0) { $0 + $1.attributes.size }
    }
}

extension ObjectStore {
    /// Remembers every object as it is now.
    package func snapshot() -> StoreSnapshot { StoreSnapshot(buckets.mapValues { $0.copy() }) }

    /// Makes the objects those of a snapshot again, which may be restored any number of times.
    ///
    /// Generations that are made later are newer than any that ever was, and upload sessions stay as
    /// they are. A bucket that the snapshot does not have is gone; where buckets are made on first use
    /// it begins anew.
    package func restore(_ snapshot: StoreSnapshot) {
        buckets = snapshot.buckets.mapValues { $0.copy() }
    }

    /// Forgets every upload session, and counts sessions and tokens from 1 again. The new ids are
    /// others than before: a client of an old session is told that there is none.
    package func forgetSessions() {
        sessions = [:]
        sessionCount = 0
        tokenCount = 0
        life += 1
    }
}

extension Bucket {
    /// Another bucket with the same content.
    fileprivate func copy() -> Bucket { Bucket(objects.mapValues { $0.map { $0.copy() } }) }
}

extension ObjectVersion {
    fileprivate func copy() -> ObjectVersion {
        let copy = ObjectVersion(attributes, body: body, lacksSums: lacksSums)
        copy.isLive = isLive
        return copy
    }
}
