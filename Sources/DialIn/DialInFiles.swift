import ClientDriver
import Glibc
import StorageModel

/// The files of a scenario, for a client that cannot open them itself: those that its commands have
/// named, and those in its folder for the client.
struct DialInFiles {
    struct Refusal: Error {
        let status: Int
        let message: String
    }

    /// An absolute path; nil: no scenario has begun.
    var folder: String?
    /// Absolute paths.
    var named: Set<String> = []

    /// The bytes of a file.
    func read(_ path: String) throws(Refusal) -> any ByteSource {
        guard let file = FileSource(path: try allowed(path), followsLinks: false) else {
            throw failure(path)
        }
        return file
    }

    /// A file that comes in, for a path.
    func write(_ path: String, limit: Int64) throws(Refusal) -> IncomingFile {
        guard let file = IncomingFile(path: try allowed(path)) else { throw failure(path) }
        return file
    }

    /// No part of a path leads out of the folder, and no link does: the client can make none here.
    private func allowed(_ path: String) throws(Refusal) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPlain = !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.contains("\0") }
        if named.contains(path) || isPlain && folder.map({ path.hasPrefix($0 + "/") }) == true {
            return path
        }
        throw Refusal(
            status: 403,
            message: "only files that a command names, or in 'directory', are to be had here")
    }

    private func failure(_ path: String) -> Refusal {
        let code = errno
        return Refusal(
            status: code == ENOENT ? 404 : 500,
            message: "\(path): \(String(cString: strerror(code)))")
    }
}

/// A file on its way in: it has its name once all of it is there.
final class IncomingFile {
    private let path: String
    private let descriptor: Int32
    private var failure: Int32?
    private var isKept = false

    private var temporary: String { path + ".incoming" }

    /// Nil: `errno` says why.
    init?(path: String) {
        self.path = path
        descriptor = open(
            path + ".incoming", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !isKept { unlink(temporary) }
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        var written = 0
        while failure == nil, written < bytes.count {
            let count = write(
                descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count >= 0 { written += count } else if errno != EINTR { failure = errno }
        }
    }

    /// Everything has come; returns what went wrong.
    func finish() -> String? {
        if failure == nil, rename(temporary, path) != 0 { failure = errno }
        isKept = failure == nil
        return failure.map { String(cString: strerror($0)) }
    }
}
