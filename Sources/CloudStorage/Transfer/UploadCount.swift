internal import EventLoop

/// How the bytes of an upload are counted for its observers.
struct UploadCount: Hashable, Sendable {
    let countsSentBytes: Bool
    /// Bytes of the metadata that begins the upload, as far as they count.
    let metadata: Int64

    /// - Parameter startBody: bytes of the request that begins the upload.
    init(_ progress: StorageBehaviour.Progress, startBody: Int) {
        countsSentBytes = progress.countsSentBytes
        metadata = progress.countsMetadata ? Int64(startBody) : 0
    }

    /// What is told of so many bytes of the object.
    func told(_ bytes: Int64) -> Int64 { bytes + metadata }
}

/// A part of a source that tells how far it was read: what was read has been sent, or is about to be.
///
/// It tells at multiples of a unit and at the end, so that it does not depend on how much is read at once.
final class SentBytes: BodyReader {
    static let unit: Int64 = 65_536

    private let source: any BodyReader
    private let end: Int64
    private let told: Lock<Int64>
    private let tell: @Sendable (Int64) -> Void

    /// - Parameter tell: called where the source is read, with an offset in the source.
    init(
        _ source: any BodyReader, from offset: Int64, length: Int64,
        tell: @escaping @Sendable (Int64) -> Void
    ) {
        self.source = source
        end = offset + length
        told = Lock(offset)
        self.tell = tell
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = source.read(at: offset, into: buffer)
        guard let count, count > 0 else { return count }
        let read = min(offset + Int64(count), end)
        let marks = told.withLock { told -> [Int64] in
            guard read > told else { return [] }
            var marks = Array(
                stride(from: (told / Self.unit + 1) * Self.unit, through: read, by: Int(Self.unit)))
            if read == end, marks.last != end { marks.append(end) }
            if let last = marks.last { told = last }
            return marks
        }
        for mark in marks { tell(mark) }
        return count
    }
}
