import Glibc
import StorageModel

/// The bytes of a file, read when they are wanted; a file that shrinks meanwhile ends early.
final class FileContent: ByteSource {
    private let descriptor: Int32
    let count: Int64

    /// Nil when it cannot be opened, or is no plain file.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else {
            count = 0
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        count = Int64(status.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        while copied < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + copied }, buffer.count - copied,
                Int(offset) + copied)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            copied += count
        }
        return copied
    }
}
