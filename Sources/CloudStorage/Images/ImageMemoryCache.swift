/// A cached image and when the server last said that it is the stored one.
struct CachedImage: Sendable, Hashable {
    let image: StorageImage
    /// Seconds since 1970.
    var validated: Double
}

/// Images in memory, the least recently used ones given up first. Pure.
struct ImageMemoryCache: Sendable {
    /// Bytes of images that are held at most.
    let limit: Int
    private(set) var size = 0
    private var entries: [String: Entry] = [:]
    private var clock = 0

    private struct Entry: Sendable {
        let cached: CachedImage
        var lastUse: Int
    }

    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }

    /// Counts as a use.
    mutating func image(_ key: String) -> CachedImage? {
        guard var entry = entries[key] else { return nil }
        clock += 1
        entry.lastUse = clock
        entries[key] = entry
        return entry.cached
    }

    /// Takes an image in the place of an older one; one that is larger than the limit is not kept.
    mutating func store(_ cached: CachedImage, for key: String) {
        remove(key)
        let bytes = cached.image.data.count
        guard bytes <= limit else { return }
        clock += 1
        entries[key] = Entry(cached: cached, lastUse: clock)
        size += bytes
        while size > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            remove(oldest.key)
        }
    }

    mutating func remove(_ key: String) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        size -= entry.cached.image.data.count
    }

    mutating func removeAll() {
        entries = [:]
        size = 0
    }
}
