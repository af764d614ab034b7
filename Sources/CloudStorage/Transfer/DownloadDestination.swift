internal import EventLoop
internal import Foundation
internal import Glibc

/// Where a download goes to.
enum DownloadDestination: Sendable {
    case memory(DownloadMemory)
    case file(DownloadFile)
    case stream(DownloadPipe)
    /// A URL that is no file's.
    case impossible(String)

    /// A file's URL, or a path without a scheme.
    init(url: URL) {
        let isFile = url.isFileURL || url.scheme == nil
        self = isFile ? .file(DownloadFile(path: url.path)) : .impossible(url.absoluteString)
    }

    /// Why a download there cannot even begin, where there is no sink.
    var problem: StorageFailure {
        guard case .impossible(let url) = self else {
            return StorageFailure(.internalError, "The destination can be written.")
        }
        return StorageFailure(.unknown, "\(url) cannot be written: it is no file's URL.")
    }

    var sink: (any DownloadSink)? {
        switch self {
        case .memory(let memory): memory
        case .file(let file): file
        case .stream(let pipe): pipe
        case .impossible: nil
        }
    }

    /// Bytes that may be held; nil: no limit.
    var limit: Int64? {
        guard case .memory(let memory) = self else { return nil }
        return memory.limit
    }

    func purge() {
        guard case .file(let file) = self else { return }
        file.purge()
    }
}

/// Keeps what has arrived of a download. Used on the loop alone.
protocol DownloadSink: AnyObject, Sendable {
    /// Begins with no bytes.
    func restart() throws(StorageFailure)
    func append(_ bytes: UnsafeRawBufferPointer) throws(StorageFailure)
    /// True: nothing more may be appended for now. `whenRoom` is called when that is over.
    var isFull: Bool { get }
    /// - Parameter action: called from any thread, each time that there is room again.
    func whenRoom(_ action: @escaping @Sendable () -> Void)
    /// False when what was kept has gone: nothing can be added to it.
    var isIntact: Bool { get }
    /// Everything is there and verified: makes it the result.
    func finish() throws(StorageFailure)
    /// Gives up what was kept. The result of an earlier `finish` stays.
    func discard()
}

extension DownloadSink {
    var isFull: Bool { false }

    func whenRoom(_ action: @escaping @Sendable () -> Void) {}
}

/// A download held in memory.
final class DownloadMemory: DownloadSink {
    let limit: Int64
    private let content = Lock(Data())

    /// - Parameter limit: bytes that are held at most.
    init(limit: Int64) { self.limit = limit }

    /// The whole content after success.
    var data: Data { content.withLock { $0 } }

    var isIntact: Bool { true }

    func restart() { content.withLock { $0 = Data() } }

    func append(_ bytes: UnsafeRawBufferPointer) {
        content.withLock { $0.append(contentsOf: bytes) }
    }

    func finish() {}

    func discard() { content.withLock { $0 = Data() } }
}

/// A download kept in a temporary file beside its destination, and moved there in one step when it is
/// whole: a failed download leaves the destination as it was.
final class DownloadFile: DownloadSink {
    private struct State {
        var descriptor: Int32 = -1
        var temporary: String?
    }

    private let path: String
    private let state = Lock(State())

    init(path: String) { self.path = path }

    deinit { discard() }

    var isIntact: Bool {
        state.withLock { state in
            guard let temporary = state.temporary, state.descriptor >= 0,
                let held = FileIdentity(descriptor: state.descriptor),
                let found = FileIdentity(path: temporary)
            else { return false }
            return held.device == found.device && held.inode == found.inode
        }
    }

    func restart() throws(StorageFailure) {
        discard()
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        if !folder.isEmpty { try makeFolder(folder) }
        guard !isFolder else { throw problem(EISDIR) }
        let name = path.split(separator: "/").last ?? "download"
        let base = folder.isEmpty ? (path.hasPrefix("/") ? "/" : "") : folder + "/"
        let mark = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(base).\(name.prefix(60)).\(mark).part"
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard fd >= 0 else { throw problem(errno) }
        state.withLock { $0 = State(descriptor: fd, temporary: temporary) }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StorageFailure) {
        let fd = state.withLock { $0.descriptor }
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(fd, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw problem(count == 0 ? ENOSPC : errno) }
            done += count
        }
    }

    func finish() throws(StorageFailure) {
        let (fd, temporary) = state.withLock { ($0.descriptor, $0.temporary) }
        guard let temporary, fd >= 0 else { throw problem(ENOENT) }
        guard rename(temporary, path) == 0 else { throw problem(errno) }
        close(fd)
        state.withLock { $0 = State() }
    }

    func discard() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        if old.descriptor >= 0 { close(old.descriptor) }
        if let temporary = old.temporary { unlink(temporary) }
    }

    /// Removes the temporary file behind the download's back.
    func purge() {
        if let temporary = state.withLock({ $0.temporary }) { unlink(temporary) }
    }

    private var isFolder: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func makeFolder(_ folder: String) throws(StorageFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw StorageFailure(
                .unknown, "The folder \(folder) cannot be made: \(error.localizedDescription)")
        }
    }

    private func problem(_ code: Int32) -> StorageFailure {
        StorageFailure(
            .unknown, "The file \(path) cannot be written: \(UploadSource.reason(code)).")
    }
}
