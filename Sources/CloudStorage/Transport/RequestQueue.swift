/// Requests that wait for their turn, in the order of their coming. Nothing that is done here takes
/// longer when more of them wait.
struct RequestQueue {
    struct Entry {
        let request: TransportRequest
        let sink: any TransportSink
    }

    private var entries: [Int: Entry] = [:]
    /// In their order, those that were taken out among them; what is before `first` has gone.
    private var order: [Int] = []
    private var first = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ id: Int, _ request: TransportRequest, _ sink: any TransportSink) {
        entries[id] = Entry(request: request, sink: sink)
        order.append(id)
    }

    /// Takes the oldest one out.
    mutating func next() -> (id: Int, entry: Entry)? {
        while first < order.count {
            let id = order[first]
            first += 1
            // Seldom, so that each one is moved once at most.
            if first > 64, first * 2 > order.count {
                order.removeFirst(first)
                first = 0
            }
            if let entry = entries.removeValue(forKey: id) { return (id, entry) }
        }
        return nil
    }

    mutating func remove(_ id: Int) { entries[id] = nil }

    mutating func removeAll() { self = RequestQueue() }
}
