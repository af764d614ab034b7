/// Deadlines in order; equal deadlines keep their order of arrival.
struct TimerHeap<Payload> {
    struct Entry {
        let due: Int64
        let id: UInt64
        let payload: Payload
    }

    private var entries: [Entry] = []
    private var live: Set<UInt64> = []
    private var nextID: UInt64 = 0

    /// The earliest live deadline.
    var due: Int64? {
        mutating get {
            dropCancelled()
            return entries.first?.due
        }
    }

    /// Live entries.
    var count: Int { live.count }

    mutating func add(due: Int64, _ payload: Payload) -> UInt64 {
        nextID += 1
        live.insert(nextID)
        entries.append(Entry(due: due, id: nextID, payload: payload))
        siftUp()
        return nextID
    }

    /// An entry that was popped already is left alone.
    mutating func cancel(_ id: UInt64) {
        live.remove(id)
        // A deadline that is moved on again and again must not fill the memory with dead ones.
        guard entries.count > 64, live.count < entries.count / 2 else { return }
        let kept = entries.filter { live.contains($0.id) }
        entries.removeAll(keepingCapacity: true)
        for entry in kept {
            entries.append(entry)
            siftUp()
        }
    }

    mutating func pop() -> Entry? {
        dropCancelled()
        guard !entries.isEmpty else { return nil }
        let first = removeFirst()
        live.remove(first.id)
        return first
    }

    mutating func removeAll() {
        entries.removeAll()
        live.removeAll()
    }

    private mutating func dropCancelled() {
        while let first = entries.first, !live.contains(first.id) { _ = removeFirst() }
    }

    /// Moves the last entry to its place.
    private mutating func siftUp() {
        var child = entries.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() -> Entry {
        entries.swapAt(0, entries.count - 1)
        let first = entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if precedes(child, least) { least = child }
            }
            if least == parent { return first }
            entries.swapAt(least, parent)
            parent = least
        }
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        (entries[a].due, entries[a].id) < (entries[b].due, entries[b].id)
    }
}
