package import StorageModel

/// Which of the exchanges that fit, counted from 1.
package enum OrdinalPattern: Hashable, Sendable, CustomStringConvertible {
    case all
    /// `#2`
    case exactly(Int)
    /// `#1..4` and, without an upper bound, `#2..`
    case range(from: Int, through: Int?)
    /// `#every 3`: the third, the sixth, ...
    case every(Int)
    /// `#last`: the one that is known to finish its transfer.
    case last

    /// - Parameter isLast: whether the exchange is known to finish its transfer.
    package func holds(_ ordinal: Int, isLast: Bool) -> Bool {
        switch self {
        case .all: true
        case .exactly(let wanted): ordinal == wanted
        case .range(let first, let last): ordinal >= first && ordinal <= last ?? .max
        case .every(let step): ordinal % max(step, 1) == 0
        case .last: isLast
        }
    }

    /// As the language writes it behind the operation; empty for all.
    package var description: String {
        switch self {
        case .all: ""
        case .exactly(let number): "#\(number)"
        case .range(let first, let last): "#\(first)..\(last.map(String.init) ?? "")"
        case .every(let step): "#every \(step)"
        case .last: "#last"
        }
    }
}

/// For what ordinals and `times` are counted separately.
package enum CountingScope: String, Hashable, Sendable, CaseIterable {
    case transfer
    case object
    case connection
    case run
}

/// The condition `match` with `where`: which exchanges are meant.
package struct ExchangeSelector: Hashable, Sendable {
    package var operation: OperationPattern
    package var ordinal: OrdinalPattern
    package var per: CountingScope
    package var filters: ExchangeFilters

    package init(
        operation: OperationPattern, ordinal: OrdinalPattern = .all,
        per: CountingScope = .transfer, filters: ExchangeFilters = ExchangeFilters()
    ) {
        self.operation = operation
        self.ordinal = ordinal
        self.per = per
        self.filters = filters
    }
}

/// The conditions of `where`; all that are given must hold.
package struct ExchangeFilters: Hashable, Sendable {
    /// On the object's path, unescaped.
    package var path: Glob?
    package var bucket: String?
    package var method: String?
    /// On the raw request target.
    package var target: Glob?
    package var query: [String: TextTest] = [:]
    package var headers: [String: TextTest] = [:]
    /// On the request's JSON body, by paths such as `metadata.mood`.
    package var json: [String: TextTest] = [:]
    /// The name of a known bearer token.
    package var token: String?
    /// The n-th upload session of the run, from 1.
    package var session: Int?
    /// The n-th connection of the run, from 1.
    package var connection: Int?
    package var isReused: Bool?
    /// The head was read at this time or later.
    package var from: Duration?
    /// The head was read before this time.
    package var until: Duration?
    /// The head was read after this had happened.
    package var since: Trigger?

    package init() {}

    package var isEmpty: Bool { self == ExchangeFilters() }
}
