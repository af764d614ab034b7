import StorageModel

/// Another source with one byte changed.
struct FlippedSource: ByteSource {
    private let base: any ByteSource
    private let place: Int64

    /// - Parameter place: of the byte; less than `base.count`.
    init(_ base: any ByteSource, at place: Int64) {
        self.base = base
        self.place = place
    }

    var count: Int64 { base.count }

    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let copied = base.copy(from: offset, into: buffer)
        if place >= offset, place < offset + Int64(copied) { buffer[Int(place - offset)] ^= 0x01 }
        return copied
    }
}
