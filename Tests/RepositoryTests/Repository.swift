import Foundation

/// The checkout that the tests were built from.
struct Repository {
    static let root: URL = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file of the checkout with its lines.
    struct File: Sendable, CustomStringConvertible {
        /// Relative to the root.
        let path: String
        let lines: [String]

        var description: String { path }
    }

    /// The files below a folder whose names end in `suffix`, in order of their paths.
    static func files(below folder: String, suffix: String) throws -> [File] {
        let base = root.appending(path: folder)
        guard let paths = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return try paths.compactMap { $0 as? String }
            .filter {
                $0.hasSuffix(suffix) && !$0.split(separator: "/").contains { $0 == ".build" }
            }
            .sorted()
            .map { path in
                let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
                return File(path: folder + "/" + path, lines: text.components(separatedBy: "\n"))
            }
    }

    static func swiftFiles(below folders: String...) throws -> [File] {
        try folders.flatMap { try files(below: $0, suffix: ".swift") }
    }
}
