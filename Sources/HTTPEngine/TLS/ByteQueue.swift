/// Bytes that wait to be taken, first in, first out.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    mutating func removeAll() {
        bytes = []
        start = 0
    }

    /// Forgets the first bytes.
    mutating func remove(_ number: Int) {
        start += number
        // Nothing is kept for those that stand still: there may be a thousand of them.
        if start == bytes.count { removeAll() }
    }

    /// Moves as many bytes as there are and as fit; how many.
    mutating func take(into room: UnsafeMutableRawBufferPointer) -> Int {
        let number = min(count, room.count)
        withFirst { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<number])) }
        remove(number)
        return number
    }

    func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    var all: [UInt8] { Array(bytes[start...]) }
}
