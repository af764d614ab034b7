/// What the store refuses to go beyond.
package struct StoreLimits: Hashable, Sendable {
    /// Bytes of one object. Source: the documented maximum of Cloud Storage, 5 TiB.
    package var objectSize: Int64 = 5 << 40
    /// Bytes in memory for all objects, sessions and older generations together.
    package var memory: Int64 = 4 << 30
    /// Upload sessions that are remembered; of those that ended, the oldest are forgotten first.
    package var sessions = 10_000
    /// Generations of one object that are remembered; the oldest are forgotten first.
    package var generations = 1000
    /// Bytes of a name in UTF-8. Source: the documented maximum of Cloud Storage.
    package var nameLength = 1024
    /// Content whose sums are not known from its coming in is summed up to this many bytes; larger
    /// content has no checksums, as composite objects have none.
    package var summedSize: Int64 = 1 << 30
    /// Bytes of content that is compressed or decompressed as a whole.
    package var gzippedSize: Int64 = 256 << 20

    package init() {}
}
