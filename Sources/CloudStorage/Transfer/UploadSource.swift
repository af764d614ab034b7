internal import Foundation
internal import Glibc
internal import StorageModel

/// What is to be uploaded, before anything was opened.
enum UploadSource: Sendable {
    case memory(Data)
    /// Bytes that need not be in memory at all.
    case bytes(any ByteSource)
    case stream(UploadStream)
    /// A file's path; nil for a URL that is no file's, with the URL for the error.
    case file(path: String?, url: String)

    /// A file's URL, or a path without a scheme.
    init(url: URL) {
        let isFile = url.isFileURL || url.scheme == nil
        self = .file(
            path: isFile ? url.path : nil, url: url.isFileURL ? url.path : url.absoluteString)
    }

    /// Bytes, where that is known without asking the disk.
    var knownSize: Int64? {
        switch self {
        case .memory(let data): Int64(data.count)
        case .bytes(let source): source.count
        case .stream(let stream): stream.size
        case .file: nil
        }
    }

    /// As the source's name tells; the caller's own word goes first.
    var contentType: String {
        switch self {
        case .memory, .bytes, .stream: ContentTypes.fallback
        case .file(let path, _): ContentTypes.type(ofFile: path ?? "")
        }
    }

    /// - Parameter engine: where a stream is read.
    func open(_ engine: StorageEngine) -> Result<any UploadContent, StorageFailure> {
        switch self {
        case .stream(let stream):
            if let size = stream.size, size < 0 {
                return .failure(
                    StorageFailure(.invalidArgument, "A stream cannot have \(size) bytes."))
            }
            return .success(
                StreamedSource(stream, loop: engine.loop, readers: engine.providers))
        case .memory(let data): return .success(OpenedSource(data))
        case .bytes(let source): return .success(OpenedSource(source))
        case .file(nil, let url):
            return .failure(Self.unreachable(url, "it is no file's URL"))
        case .file(let path?, let url):
            // Not blocking, so that a pipe without a writer is refused and not waited for.
            let fd = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard fd >= 0 else { return .failure(Self.unreachable(url, Self.reason(errno))) }
            guard let identity = FileIdentity(descriptor: fd) else {
                close(fd)
                return .failure(Self.unreachable(url, "it is no regular file"))
            }
            return .success(OpenedSource(descriptor: fd, path: path, identity: identity))
        }
    }

    static func unreachable(_ url: String, _ reason: String) -> StorageFailure {
        StorageFailure(.unknown, "The file \(url) cannot be uploaded: \(reason).")
    }

    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Tells whether a file is still the one that was opened, with the content that it had.
struct FileIdentity: Hashable, Sendable, Codable {
    let device: UInt
    let inode: UInt
    let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64

    /// Nil for what is no regular file.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}
