import Foundation
import Glibc

/// Copies the files that commands name, and says in lines what was there.
final class FileKeeper {
    /// Larger files are named and not copied.
    private static let limit = 64 << 20

    private let folder: String
    private var count = 0

    /// - Parameter folder: made with the first file.
    init(folder: String) { self.folder = folder }

    /// Lines for a transcript: `file PATH = COPY`, `folder PATH`, `nothing PATH`, `larger PATH`.
    func keep(_ command: ClientCommand) -> [String] {
        switch command.verb {
        case .upload(let upload):
            switch upload.source {
            case .data(.file(let path)), .file(let path): return keep(path)
            case .stream(let stream):
                if case .file(let path) = stream.bytes { return keep(path) }
                return []
            case .data: return []
            }
        case .download(let download):
            guard case .file(let path) = download.target else { return [] }
            let folder = (path as NSString).deletingLastPathComponent
            return keep(folder) + (access(path, F_OK) == 0 ? keep(path) : [])
        case .burst(let commands), .parallel(let commands): return commands.flatMap(keep)
        case .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .getMetadata,
            .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image, .reference, .release,
            .token, .purge, .restart:
            return []
        }
    }

    private func keep(_ path: String) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { return ["nothing \(path)"] }
        let mode = String(status.st_mode & 0o777, radix: 8)
        if status.st_mode & S_IFMT == S_IFDIR { return ["folder \(mode) \(path)"] }
        guard status.st_size <= Self.limit else { return ["larger \(mode) \(path)"] }
        count += 1
        let copy = "\(folder)/\(count)"
        do {
            try FileRights.regained {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                try bytes.write(to: URL(fileURLWithPath: copy))
            }
        } catch {
            return ["larger \(mode) \(path)"]
        }
        return ["file \(mode) \(count) \(path)"]
    }
}
