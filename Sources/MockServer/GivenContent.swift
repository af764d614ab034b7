import Glibc
import ObjectStore
import StorageModel

/// Puts what a scenario gives into a store.
enum GivenContent {
    static func put(
        _ object: BackendSettings.GivenObject, into store: ObjectStore, defaultBucket: String
    ) throws(MockServerError) {
        let place = ObjectPlace(object.path, defaultBucket: defaultBucket)
        var fields = ObjectFields()
        fields.contentType = object.contentType
        fields.custom = object.custom
        fields.contentDisposition = object.fields["contentDisposition"]
        fields.contentLanguage = object.fields["contentLanguage"]
        fields.cacheControl = object.fields["cacheControl"]
        fields.contentEncoding = object.fields["contentEncoding"]
        if object.content.isGzipped { fields.contentEncoding = "gzip" }
        let source = try source(of: object.content)
        do {
            try store.put(source, as: place.path, in: place.bucket, fields: fields)
        } catch {
            throw .badObject(path: object.path, reason: error.description)
        }
    }

    /// The bytes as they are stored.
    static func source(of content: Content) throws(MockServerError) -> any ByteSource {
        var source: any ByteSource
        if case .file(let path) = content.kind {
            source = ByteArraySource(try read(path))
        } else {
            source = content.source ?? ByteArraySource([])
        }
        if content.isGzipped { source = ByteArraySource(StoredGzip.pack(source.allBytes)) }
        return source
    }

    private static func read(_ path: String) throws(MockServerError) -> [UInt8] {
        func failure() -> MockServerError {
            .unreadableFile(path: path, reason: String(cString: strerror(errno)))
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }
}

/// An object path of the scenario language: in the default bucket, or `gs://BUCKET/path`.
struct ObjectPlace: Hashable {
    let bucket: String
    let path: String

    init(_ text: String, defaultBucket: String) {
        let scheme = "gs://"
        guard text.hasPrefix(scheme) else {
            (bucket, path) = (defaultBucket, text)
            return
        }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        bucket = String(rest[..<end])
        path = String(rest[end...].dropFirst())
    }
}

/// Gzip with stored blocks: valid for every reader, without a compressor.
///
/// Source: RFC 1952, and RFC 1951 section 3.2.4.
enum StoredGzip {
    static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var position = 0
        repeat {
            let size = min(bytes.count - position, 0xFFFF)
            let isLast: UInt8 = position + size == bytes.count ? 1 : 0
            out += [isLast, UInt8(size & 255), UInt8(size >> 8)]
            out += [UInt8(~size & 255), UInt8((~size >> 8) & 255)]
            out += bytes[position..<position + size]
            position += size
        } while position < bytes.count
        let sum = checksum(bytes)
        for value in [sum, UInt32(truncatingIfNeeded: bytes.count)] {
            out += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        }
        return out
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let table = (0..<256).map { (index: UInt32) -> UInt32 in
            var sum = index
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
            return sum
        }
        return ~bytes.reduce(UInt32.max) { sum, byte in
            table[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8)
        }
    }
}

enum SystemClock {
    /// Since 1970, by the machine's clock.
    static var milliseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
