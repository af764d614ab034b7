import Glibc

/// Memory that is written once, from its start on; what was written never changes.
///
/// `@unchecked Sendable`: only its one writer appends, and readers are given ranges that were
/// written before.
final class Segment: @unchecked Sendable {
    let bytes: UnsafeMutableRawPointer
    let capacity: Int
    private(set) var used = 0
    private let meter: MemoryMeter

    /// - Parameter capacity: bytes; more than 0.
    init(capacity: Int, meter: MemoryMeter) {
        bytes = .allocate(byteCount: capacity, alignment: 64)
        self.capacity = capacity
        self.meter = meter
        meter.add(Int64(capacity))
    }

    deinit {
        bytes.deallocate()
        meter.add(-Int64(capacity))
    }

    /// Copies as much as fits; returns how many bytes.
    func append(_ more: UnsafeRawBufferPointer) -> Int {
        let size = min(more.count, capacity - used)
        if size > 0, let source = more.baseAddress { memcpy(bytes + used, source, size) }
        used += size
        return size
    }
}
