import Glibc
import ObjectStore
import StorageModel

/// Puts what a scenario gives into a store.
enum GivenContent {
    /// With the bytes of its file, where its content is one.
    static func read(
        _ object: BackendSettings.GivenObject
    ) throws(MockServerError) -> BackendSettings.GivenObject {
        guard case .file(let path) = object.content.kind else { return object }
        var object = object
        object.content.kind = .bytes(try read(path))
        return object
    }

    static func put(
        _ object: BackendSettings.GivenObject, into store: ObjectStore, defaultBucket: String
    ) throws(MockServerError) {
        do {
            try store.put(object, defaultBucket: defaultBucket)
        } catch {
            throw .badObject(path: object.path, reason: error.description)
        }
    }

    /// The bytes before compression.
    static func source(of content: Content) throws(MockServerError) -> any ByteSource {
        if case .file(let path) = content.kind { return ByteArraySource(try read(path)) }
        return content.source ?? ByteArraySource([])
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

enum SystemClock {
    /// Since 1970, by the machine's clock.
    static var milliseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
