import Foundation

/// A directory that is gone, with everything in it, when this is.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent(
            "squall-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: false)
        path = base.path
    }

    deinit {
        // Nobody is left to be told; the system clears its temporary directory.
        _ = try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a name inside.
    package func path(of name: String) -> String { path + "/" + name }

    /// Writes a file, with the directories it needs; returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let url = URL(fileURLWithPath: path(of: name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    package func read(_ name: String) throws -> [UInt8] {
        try Self.read(path(of: name))
    }

    /// The bytes of any file.
    package static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The names inside, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
