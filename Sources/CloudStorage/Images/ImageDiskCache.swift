internal import Checksums
internal import Foundation

/// Images in a folder, a file each; the least recently used ones are given up first.
///
/// A file is a line of JSON about the image, then the image. One that is damaged, or that another
/// program put there, is no image and is removed. Several processes may share the folder. Blocks: to be
/// called on a worker. Errors of the file system cost the cache, never the image.
struct ImageDiskCache: Sendable {
    let folder: URL
    /// Bytes of files that are kept at most.
    let limit: Int64

    private struct About: Codable {
        let key: String
        let etag: String?
        let validated: Double
        let size: Int
        let crc32c: UInt32
    }

    private static let ending = "image"

    func image(_ key: String) -> CachedImage? {
        let file = file(key)
        guard let content = try? Data(contentsOf: file) else { return nil }
        guard let end = content.firstIndex(of: UInt8(ascii: "\n")),
            let about = try? JSONDecoder().decode(About.self, from: content[..<end])
        else { return give(up: file) }
        let data = Data(content[(end + 1)...])
        guard about.key == key, data.count == about.size,
            Self.checksum(data) == about.crc32c,
            let format = StorageImageFormat(detectedIn: data)
        else { return give(up: file) }
        // The time of the last change tells the last use.
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: file.path)
        return CachedImage(
            image: StorageImage(data: data, format: format, etag: about.etag, origin: .disk),
            validated: about.validated)
    }

    func store(_ cached: CachedImage, for key: String) {
        let data = cached.image.data
        let about = About(
            key: key, etag: cached.image.etag, validated: cached.validated, size: data.count,
            crc32c: Self.checksum(data))
        guard var content = try? JSONEncoder().encode(about) else { return }
        content.append(UInt8(ascii: "\n"))
        content.append(data)
        guard content.count <= limit else { return remove(key) }
        let files = FileManager.default
        try? files.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard (try? content.write(to: file(key), options: .atomic)) != nil else { return }
        try? files.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file(key).path)
        trim()
    }

    func remove(_ key: String) { try? FileManager.default.removeItem(at: file(key)) }

    func removeAll() {
        for entry in entries() { try? FileManager.default.removeItem(at: entry.file) }
    }

    private static func checksum(_ data: Data) -> UInt32 {
        var crc = CRC32C()
        data.withUnsafeBytes { crc.update($0) }
        return crc.value
    }

    private func give(up file: URL) -> CachedImage? {
        try? FileManager.default.removeItem(at: file)
        return nil
    }

    private func file(_ key: String) -> URL {
        let name = Hexadecimal.encode(SHA256.digest(of: Array(key.utf8)))
        return folder.appendingPathComponent("\(name).\(Self.ending)")
    }

    private struct Entry {
        let file: URL
        let size: Int64
        let lastUse: Date
    }

    private func entries() -> [Entry] {
        let wanted: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: Array(wanted))) ?? []
        return files.filter { $0.pathExtension == Self.ending }.compactMap { file in
            guard let values = try? file.resourceValues(forKeys: wanted) else { return nil }
            return Entry(
                file: file, size: Int64(values.fileSize ?? 0),
                lastUse: values.contentModificationDate ?? .distantPast)
        }
    }

    private func trim() {
        var entries = entries()
        var size = entries.reduce(0) { $0 + $1.size }
        guard size > limit else { return }
        entries.sort { $0.lastUse < $1.lastUse }
        for entry in entries {
            guard size > limit else { return }
            try? FileManager.default.removeItem(at: entry.file)
            size -= entry.size
        }
    }
}
