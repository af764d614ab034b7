import Foundation
import TestSupport
import Testing

@testable import CloudStorage

/// The bytes of a PNG as far as a loader looks at them.
func png(_ size: Int, _ filling: UInt8 = 0) -> Data {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return Data(head + [UInt8](repeating: filling, count: size - head.count))
}

private func cached(
    _ data: Data, etag: String? = "\"1\"", at time: Double = 100
) -> CachedImage {
    CachedImage(
        image: StorageImage(data: data, format: .png, etag: etag, origin: .server),
        validated: time)
}

@Suite("Image format")
struct StorageImageFormatTests {
    @Test(
        "Is told from the first bytes",
        arguments: [
            (StorageImageFormat.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]),
            (.gif, [UInt8]("GIF89a".utf8)), (.gif, [UInt8]("GIF87a".utf8)),
            (.webp, [UInt8]("RIFF".utf8) + [9, 8, 7, 6] + [UInt8]("WEBP".utf8)),
            (.bmp, [UInt8]("BM".utf8)),
            (.tiff, [0x49, 0x49, 0x2A, 0x00]), (.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
            (.heic, [0, 0, 0, 24] + [UInt8]("ftypheic".utf8)),
            (.avif, [0, 0, 0, 32] + [UInt8]("ftypavif".utf8)),
        ] as [(StorageImageFormat, [UInt8])])
    func detected(_ format: StorageImageFormat, _ head: [UInt8]) {
        #expect(StorageImageFormat(detectedIn: Data(head + [1, 2, 3])) == format)
    }

    @Test(
        "Other bytes, and a beginning that breaks off, are no image",
        arguments: [
            "", "<html>", "RIFF", "RIFF1234WAVE", "GIF88a", "\u{1}PNG", "{\"error\":404}",
        ])
    func unknown(_ text: String) {
        #expect(StorageImageFormat(detectedIn: Data(text.utf8)) == nil)
    }
}

@Suite("Image cache in memory")
struct ImageMemoryCacheTests {
    @Test("Gives up the image that was used longest ago, not the one that was stored first")
    func leastRecentlyUsed() {
        var cache = ImageMemoryCache(limit: 300)
        for key in ["a", "b", "c"] { cache.store(cached(png(100)), for: key) }
        #expect(cache.image("a") != nil)
        cache.store(cached(png(100)), for: "d")
        #expect(cache.image("b") == nil)
        #expect(cache.image("a") != nil && cache.image("c") != nil && cache.image("d") != nil)
        #expect(cache.size == 300)
    }

    @Test("An image larger than the limit is not kept, and its forerunner neither")
    func tooLarge() {
        var cache = ImageMemoryCache(limit: 100)
        cache.store(cached(png(50)), for: "a")
        cache.store(cached(png(101)), for: "a")
        #expect(cache.image("a") == nil)
        #expect(cache.size == 0 && cache.count == 0)
    }

    @Test("Counts a replaced image once")
    func replaced() {
        var cache = ImageMemoryCache(limit: 1000)
        cache.store(cached(png(400)), for: "a")
        cache.store(cached(png(300)), for: "a")
        #expect(cache.size == 300)
        cache.remove("a")
        #expect(cache.size == 0)
    }
}

@Suite("Image cache on disk")
struct ImageDiskCacheTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func cache(limit: Int64 = 1 << 20) -> ImageDiskCache {
        ImageDiskCache(folder: URL(fileURLWithPath: folder.path(of: "images")), limit: limit)
    }

    private var files: [String] { get throws { try folder.names(of: "images") } }

    @Test("Another process finds the image, its validator and its time again")
    func found() {
        cache().store(cached(png(500, 7), etag: "W/\"x\"", at: 1234.5), for: "k")
        let again = cache().image("k")
        #expect(again?.image.data == png(500, 7))
        #expect(again?.image.etag == "W/\"x\"")
        #expect(again?.image.origin == .disk)
        #expect(again?.validated == 1234.5)
        #expect(cache().image("other") == nil)
    }

    @Test("A flipped byte, a short file, a foreign file and another key's file are no image and go")
    func damaged() throws {
        let cache = cache()
        for spoil: (inout Data) -> Void in [
            { $0[$0.count - 1] ^= 1 }, { $0.removeLast(10) }, { $0 = Data("hello".utf8) },
            { $0 = Data() },
        ] {
            cache.store(cached(png(500)), for: "k")
            let path = folder.path(of: "images/" + (try #require(try files.first)))
            var content = try Data(contentsOf: URL(fileURLWithPath: path))
            spoil(&content)
            try content.write(to: URL(fileURLWithPath: path))
            #expect(cache.image("k") == nil)
            #expect(try files == [])
        }
        cache.store(cached(png(500)), for: "k")
        let name = try #require(try files.first)
        cache.store(cached(png(500)), for: "l")
        let other = try #require(try files.first { $0 != name })
        try FileManager.default.removeItem(atPath: folder.path(of: "images/\(other)"))
        try FileManager.default.copyItem(
            atPath: folder.path(of: "images/\(name)"),
            toPath: folder.path(of: "images/\(other)"))
        #expect(cache.image("l") == nil)
        #expect(cache.image("k") != nil)
    }

    @Test("Stays below its limit, and gives up what was used longest ago")
    func limited() throws {
        let cache = cache(limit: 3000)
        for (index, key) in ["a", "b", "c"].enumerated() {
            cache.store(cached(png(800)), for: key)
            try age(newest: 100 - index)
        }
        #expect(cache.image("a") != nil)
        cache.store(cached(png(800)), for: "d")
        #expect(cache.image("b") == nil)
        #expect(cache.image("a") != nil && cache.image("c") != nil && cache.image("d") != nil)
        cache.store(cached(png(4000)), for: "e")
        #expect(cache.image("e") == nil)
        #expect(try files.count == 3)
    }

    /// Sets back the time of the last use of the file that was used last.
    private func age(newest minutes: Int) throws {
        let paths = try files.map { folder.path(of: "images/\($0)") }
        func used(_ path: String) throws -> Date {
            try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
                ?? .distantPast
        }
        let newest = try #require(try paths.max { try used($0) < used($1) })
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60 * Double(minutes))],
            ofItemAtPath: newest)
    }

    @Test("Nobody else may read the folder or a file")
    func rights() throws {
        cache().store(cached(png(100)), for: "k")
        let file = "images/" + (try #require(try files.first))
        for (name, rights) in [("images", 0o700), (file, 0o600)] {
            let found =
                try FileManager.default.attributesOfItem(
                    atPath: folder.path(of: name))[.posixPermissions] as? Int
            #expect(found == rights, "\(name)")
        }
    }

    @Test("A folder that cannot be made costs the cache and nothing else")
    func noFolder() throws {
        try folder.write("a file", to: "images")
        cache().store(cached(png(100)), for: "k")
        #expect(cache().image("k") == nil)
        #expect(try folder.read("images") == Array("a file".utf8))
    }

    @Test("Forgets one, and all, and leaves foreign files alone")
    func forgotten() throws {
        let cache = cache()
        for key in ["a", "b", "c"] { cache.store(cached(png(100)), for: key) }
        try folder.write("mine", to: "images/notes.txt")
        cache.remove("a")
        #expect(cache.image("a") == nil && cache.image("b") != nil)
        cache.removeAll()
        #expect(try files == ["notes.txt"])
    }
}

extension TemporaryDirectory {
    fileprivate func names(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(of: folder)).sorted()
    }
}
