import ClientDriver
import EventLoop
import Foundation
import StorageModel

/// Where a run keeps what each client said and was told, a file for each scenario.
package final class TranscriptFolder: Hashable, Sendable {
    private let path: String
    /// How many transcripts of a name there are in this run.
    private let counts = Lock<[String: Int]>([:])

    /// - Parameter path: made where it is missing.
    /// - Throws: what the machine says where that cannot be done.
    package init(path: String) throws {
        self.path = path
        try FileRights.regained {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
    }

    /// A new transcript; that of an earlier run is overwritten, that of an earlier try is not.
    func open(_ id: String, seed: UInt64, scale: Double) throws -> Transcript {
        let name = Self.name(of: id)
        let count = counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name] ?? 1
        }
        let file = "\(path)/\(name)\(count > 1 ? ".\(count)" : "").transcript"
        return try FileRights.regained {
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            return try Transcript(
                path: file,
                heading: ["scenario \(id)", "seed \(seed)", "time scale \(scale)"])
        }
    }

    /// The path below the folder that an id has: the same, but that a row stays one name and that
    /// nothing leads out of the folder.
    static func name(of id: String) -> String {
        let file = id.prefix { $0 != "[" }
        let row = String(id.dropFirst(file.count)).replacing("/", with: "%2F")
        let parts = file.split(separator: "/").map { part in
            part.allSatisfy { $0 == "." } ? String(part).replacing(".", with: "%2E") : String(part)
        }
        let name = parts.joined(separator: "/") + row
        // Names of files have a limit of 255 bytes.
        return row.utf8.count > 150 ? String(name.prefix(file.count + 150)) : name
    }

    package static func == (one: TranscriptFolder, other: TranscriptFolder) -> Bool {
        one === other
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
