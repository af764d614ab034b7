package import EventMatching
package import StorageModel

extension RequestPattern {
    /// The patterns that describe a log of requests, one for each.
    ///
    /// Offsets stand where they are not 0, statuses where they tell a failure, paths where there are
    /// several.
    package static func seen(_ records: [ExchangeRecord]) -> [RequestPattern] {
        let showsPaths = Set(records.compactMap(\.path)).count > 1
        return records.map { record in
            var condition = RequestCondition(.one(record.operation))
            if let offset = record.offset, offset > 0 {
                condition.offset = .exactly(offset, .size)
            }
            switch record.status {
            case nil: condition.status = StatusTest.none
            case let status? where status >= 300: condition.status = StatusTest("\(status)")
            default: break
            }
            let path = record.path ?? ""
            let isPlain = !path.isEmpty && !path.contains { " *?".contains($0) }
            if showsPaths, isPlain { condition.path = Glob(path) }
            return .atom(condition, .once)
        }
    }
}
