/// What the store refuses to go beyond.
package struct StoreLimits: Hashable, Sendable {
    /// Bytes of one object. Source: the documented maximum of Cloud Storage, 5 TiB.
    package var objectSize: Int64 = 5 << 40
    /// Bytes in memory for all objects, sessions and older generations together.
    package var memory: Int64 = 4 << 30
    /// Upload sessions that are neither finished nor cancelled.
    package var openSessions = 10_000
    /// Bytes of a name in UTF-8. Source: the documented maximum of Cloud Storage.
    package var nameLength = 1024
    /// Given content up to this many bytes gets checksums; larger content has none.
    package var checksummedGivenSize: Int64 = 1 << 30

    package init() {}
}
