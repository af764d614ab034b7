/// A moment at which an exchange has arrived, with exact places.
package enum WireMoment: Hashable, Sendable {
    case connect
    case requestHead
    case requestBody(Int64)
    case beforeCommit
    case afterCommit
    case responseHead
    case responseBody(Int64)
    case responseEnd
    /// So long after the end, on the kept connection.
    case idle(Duration)
    /// So long after the head was read.
    case elapsed(Duration)
    /// What was sent has not moved for so long.
    case unread(Duration)
}

/// Names something that waits until an exchange comes to a phase.
package struct HoldID: Hashable, Sendable {
    let number: Int
}

/// What may happen to one exchange: made when its head was read.
package struct FaultPlan: Sendable {
    enum Purpose: Hashable {
        case rule(Int)
        case trigger(Int)
        case hold(HoldID)
    }

    struct Entry {
        let purpose: Purpose
        let phase: FaultPhase
        let key: CountingKey
        let ordinal: Int
        /// Among the exchanges of its key that chance decided for, from 1.
        var rank = 1
        let draw: Double?
        /// The exact place of a body phase in this exchange; nil: unknown, or there is none.
        var place: Int64?
        var isSpent = false
        /// Its budget was taken from before its moment.
        var isReserved = false
    }

    let facts: ExchangeFacts
    /// In file order; triggers and holds first.
    var entries: [Entry] = []

    init(facts: ExchangeFacts) { self.facts = facts }

    /// A plan for an exchange that nothing counts.
    package init(nothingFor facts: ExchangeFacts) { self.facts = facts }

    /// True: nothing waits for the exchange anywhere.
    package var isEmpty: Bool { entries.isEmpty }

    /// Times after the head at which something waits, ascending.
    package var elapsedTimes: [Duration] {
        Set(entries.compactMap { if case .elapsed(let time) = $0.phase { time } else { nil } })
            .sorted()
    }

    /// Times without a move of what was sent after which something waits, ascending.
    package var unreadTimes: [Duration] {
        Set(entries.compactMap { if case .unread(let time) = $0.phase { time } else { nil } })
            .sorted()
    }

    /// The request body offsets at which something waits, ascending.
    package var requestStops: [Int64] {
        stops { if case .requestBody = $0 { true } else { false } }
    }

    /// The response body offsets at which something waits, ascending.
    package var responseStops: [Int64] {
        stops { if case .responseBody = $0 { true } else { false } }
    }

    /// How long after the exchange something waits on its connection, ascending.
    package var idleTimes: [Duration] {
        let times = entries.filter { !$0.isSpent }.compactMap { entry -> Duration? in
            guard case .idle(let time) = entry.phase else { return nil }
            return time
        }
        return Set(times).sorted()
    }

    /// Finds the exact places in the request's body.
    ///
    /// - Parameters:
    ///   - length: the body's length; nil while it is unknown.
    ///   - start: the place in the object of its first byte.
    package mutating func resolveRequest(length: Int64?, start: Int64?) {
        for index in entries.indices {
            guard case .requestBody(let offset) = entries[index].phase else { continue }
            entries[index].place = offset.resolved(length: length, start: start)
        }
    }

    /// The same for the response's body.
    package mutating func resolveResponse(length: Int64?, start: Int64?) {
        for index in entries.indices {
            guard case .responseBody(let offset) = entries[index].phase,
                !entries[index].isReserved
            else { continue }
            entries[index].place = offset.resolved(length: length, start: start)
        }
    }

    private func stops(_ isWanted: (FaultPhase) -> Bool) -> [Int64] {
        if entries.isEmpty { return [] }
        let places = entries.filter { isWanted($0.phase) && !$0.isSpent }.compactMap(\.place)
        return Set(places).sorted()
    }
}

extension FaultPlan.Entry {
    func isAt(_ moment: WireMoment) -> Bool {
        switch (phase, moment) {
        case (.connect, .connect), (.requestHead, .requestHead), (.beforeCommit, .beforeCommit),
            (.afterCommit, .afterCommit), (.responseHead, .responseHead),
            (.responseEnd, .responseEnd):
            true
        case (.requestBody, .requestBody(let offset)), (.responseBody, .responseBody(let offset)):
            place == offset
        case (.idle(let one), .idle(let other)): one == other
        case (.elapsed(let wanted), .elapsed(let time)), (.unread(let wanted), .unread(let time)):
            wanted == time
        case (.connect, _), (.requestHead, _), (.requestBody, _), (.beforeCommit, _),
            (.afterCommit, _), (.responseHead, _), (.responseBody, _), (.responseEnd, _),
            (.idle, _), (.elapsed, _), (.unread, _):
            false
        }
    }
}
