import Glibc
import StorageModel

/// The bytes of a plain file, read when they are wanted; open as long as this lives. A file that
/// shrinks meanwhile ends early.
package final class FileSource: ByteSource {
    package let count: Int64
    private let descriptor: Int32

    /// - Parameter followsLinks: false: a link in the last place of the path is refused.
    /// - Returns: nil when it cannot be opened, or is no plain file; `errno` says why.
    package convenience init?(path: String, followsLinks: Bool = true) {
        // Without waiting for whoever writes a pipe.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            errno = EISDIR
            return nil
        }
        self.init(descriptor, count: Int64(status.st_size))
    }

    private init(_ descriptor: Int32, count: Int64) {
        self.descriptor = descriptor
        self.count = count
    }

    deinit { close(descriptor) }

    package func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        while copied < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + copied }, buffer.count - copied,
                off_t(offset) + copied)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            copied += count
        }
        return copied
    }
}
