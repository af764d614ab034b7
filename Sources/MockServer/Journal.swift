package import StorageModel

/// What an observer of the journal hears, in the order in which it happens.
package enum JournalEvent: Sendable {
    /// A head was read.
    case head(ExchangeRecord)
    case fault(ExchangeRecord, FiredFault)
    /// A fault that fired could not do what it was to do.
    case problem(ExchangeRecord, FaultProblem)
    /// The exchange is over; the record does not change any more.
    case end(ExchangeRecord)

    package var record: ExchangeRecord {
        switch self {
        case .head(let record), .fault(let record, _), .problem(let record, _), .end(let record):
            record
        }
    }
}

/// The exchanges of a server in the order in which it read their heads.
///
/// Connections on which a fault of `connect` fired stand between them, with the ordinal 0.
struct Journal {
    /// The newest so many are kept.
    let limit: Int
    private var records: [ExchangeRecord] = []
    /// Records that had to go.
    private(set) var dropped = 0
    /// Exchanges that came, without connections.
    private(set) var count = 0

    init(limit: Int = 100_000) { self.limit = max(limit, 1) }

    var all: [ExchangeRecord] { records }

    /// Adds a record; the index by which it is changed later.
    mutating func append(_ record: ExchangeRecord) -> Int {
        if record.operation != .connect { count += 1 }
        records.append(record)
        if records.count > limit + limit / 4 {
            let surplus = records.count - limit
            records.removeFirst(surplus)
            dropped += surplus
        }
        return dropped + records.count - 1
    }

    mutating func replace(_ index: Int, with record: ExchangeRecord) {
        let place = index - dropped
        if records.indices.contains(place) { records[place] = record }
    }
}

extension HTTPHeaders {
    /// The same fields with every credential replaced by `present`.
    var redacted: HTTPHeaders {
        let secret = ["authorization", "proxy-authorization", "cookie", "x-firebase-appcheck"]
        return HTTPHeaders(
            fields.map { field in
                guard secret.contains(field.name.lowercased()) else { return field }
                return Field(name: field.name, value: "present")
            })
    }
}
