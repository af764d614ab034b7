package import FaultEngine
package import StorageModel

/// What an observer of the journal hears, in the order in which it happens.
package enum JournalEvent: Sendable {
    /// A head was read.
    case head(ExchangeRecord)
    case fault(ExchangeRecord, FiredFault)
    /// A fault that fired could not do what it was to do.
    case problem(ExchangeRecord, FaultProblem)
    /// A fault makes the exchange stand still until the trigger happened, from a time on.
    case held(ExchangeRecord, until: Trigger, at: Duration)
    /// The exchange is over; the record does not change any more.
    case end(ExchangeRecord)

    package var record: ExchangeRecord {
        switch self {
        case .head(let record), .fault(let record, _), .problem(let record, _),
            .held(let record, _, _), .end(let record):
            record
        }
    }
}

/// The exchanges of a server in the order in which it read their heads: a ring of the newest.
///
/// Connections on which a fault of `connect` fired stand between them, with the ordinal 0.
struct Journal {
    /// Records at most; the oldest go first.
    let limit: Int
    private var ring: [ExchangeRecord] = []
    /// Place in the ring of the oldest record.
    private var oldest = 0
    /// Records that had to go.
    private(set) var dropped = 0
    /// Exchanges that came, without connections.
    private(set) var count = 0

    /// - Parameter limit: 1 or more.
    init(limit: Int) { self.limit = max(limit, 1) }

    /// Those that are kept, oldest first.
    var all: [ExchangeRecord] { oldest == 0 ? ring : Array(ring[oldest...] + ring[..<oldest]) }

    /// Adds a record; the index by which it is changed later.
    mutating func append(_ record: ExchangeRecord) -> Int {
        if record.operation != .connect { count += 1 }
        if ring.count < limit {
            ring.append(record)
        } else {
            ring[oldest] = record
            oldest = (oldest + 1) % limit
            dropped += 1
        }
        return dropped + ring.count - 1
    }

    /// Changes a record that may be gone meanwhile.
    mutating func replace(_ index: Int, with record: ExchangeRecord) {
        let place = index - dropped
        guard ring.indices.contains(place) else { return }
        ring[(oldest + place) % ring.count] = record
    }
}
