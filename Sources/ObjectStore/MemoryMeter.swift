import Synchronization

/// Counts the bytes that a store holds; segments may be given back on any thread.
final class MemoryMeter: Sendable {
    let limit: Int64
    private let count = Atomic<Int64>(0)

    init(limit: Int64) { self.limit = limit }

    var used: Int64 { count.load(ordering: .relaxed) }

    func add(_ bytes: Int64) { count.add(bytes, ordering: .relaxed) }
}
