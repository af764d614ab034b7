internal import Checksums
internal import Foundation
internal import Glibc
internal import StorageModel

/// The bytes of an upload, which can be read at any offset as often as needed. A file is read in
/// pieces and never held.
///
/// The CRC-32C of what is sent grows with the first reading of each byte, so that verifying needs no
/// second pass, but for what an earlier process has sent. Confined to the loop once the upload has
/// begun, until its checksum is asked for.
final class OpenedSource: UploadContent, @unchecked Sendable {
    private enum Bytes {
        case memory(Data)
        case source(any ByteSource)
        case file(descriptor: Int32, path: String, identity: FileIdentity)
    }

    private let bytes: Bytes
    let size: Int64
    private var crc = CRC32C()
    /// Bytes from the beginning that `crc` has seen.
    private var hashed: Int64 = 0

    init(_ data: Data) {
        bytes = .memory(data)
        size = Int64(data.count)
    }

    init(_ source: any ByteSource) {
        bytes = .source(source)
        size = source.count
    }

    /// Takes over the descriptor.
    init(descriptor: Int32, path: String, identity: FileIdentity) {
        bytes = .file(descriptor: descriptor, path: path, identity: identity)
        size = identity.size
    }

    deinit {
        if case .file(let descriptor, _, _) = bytes { Glibc.close(descriptor) }
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let count = copy(from: offset, into: buffer) else { return nil }
        let new = offset + Int64(count) - hashed
        if offset <= hashed, new > 0 {
            let start = count - Int(new)
            crc.update(UnsafeRawBufferPointer(rebasing: buffer[start..<count]))
            hashed += new
        }
        return count
    }

    private func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = Int(max(0, min(Int64(buffer.count), size - offset)))
        switch bytes {
        case .memory(let data):
            let start = data.startIndex + Int(offset)
            data.copyBytes(
                to: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]),
                from: start..<start + wanted)
            return wanted
        case .source(let source):
            return source.copy(
                from: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
        case .file(let descriptor, _, _):
            var done = 0
            while done < wanted {
                let count = pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, wanted - done,
                    off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return nil }
                done += count
            }
            return done
        }
    }

    /// Why the rest cannot be sent: the file is gone, or another one than at the beginning.
    var problem: StorageFailure? {
        guard case .file(_, let path, let identity) = bytes else { return nil }
        guard let now = FileIdentity(path: path) else {
            return UploadSource.unreachable(path, "it was removed during the upload")
        }
        guard now == identity else {
            return UploadSource.unreachable(path, "it was changed during the upload")
        }
        return nil
    }

    // MARK: As content of an upload

    var knownSize: Int64? { size }

    var supply: UploadMachine.Supply { .atHand }

    var identity: FileIdentity? {
        guard case .file(_, _, let identity) = bytes else { return nil }
        return identity
    }

    func gather(from: Int64, beyond: Int64, _ then: @escaping (Gathered) -> Void) {
        then(.success(GatheredBytes(end: size, isWhole: true)))
    }

    func rest() {}

    func close() {}

    func isSummed(_ kind: ContentChecksum.Kind) -> Bool {
        switch kind {
        case .crc32c: hashed == size
        case .md5: size == 0
        }
    }

    func checksum(_ kind: ContentChecksum.Kind) -> ContentChecksum? {
        switch kind {
        case .crc32c:
            guard readRest(from: hashed, { _ in }) else { return nil }
            return .crc32c(crc.value)
        case .md5:
            var md5 = MD5()
            guard readRest(from: 0, { md5.update($0) }) else { return nil }
            return .md5(md5.digest)
        }
    }

    private func readRest(from start: Int64, _ use: (UnsafeRawBufferPointer) -> Void) -> Bool {
        var offset = start
        return withUnsafeTemporaryAllocation(byteCount: 262_144, alignment: 16) { buffer in
            while offset < size {
                guard let count = read(at: offset, into: buffer), count > 0 else { return false }
                use(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += Int64(count)
            }
            return true
        }
    }
}
