package import StorageModel

extension ProgressTest {
    /// What does not hold, a sentence each.
    ///
    /// - Parameter events: all events of the task; those other than progress are left out.
    package func problems(with events: [TransferEvent]) -> [String] {
        let progress = counted(events)
        var problems: [String] = []
        if let count, !count.holds(Int64(progress.count)) {
            problems.append("\(progress.count) progress events came, \(count) expected")
        }
        let falls = zip(progress, progress.dropFirst()).count { $1.completed < $0.completed }
        if let test = self.falls, !test.holds(Int64(falls)) {
            problems.append("progress fell \(Self.times(falls)), \(test) expected")
        }
        guard let first = progress.first, let last = progress.last else {
            return needsEvents ? problems + ["no progress event came"] : problems
        }
        problems += totals(progress)
        if let test = self.first, !test.holds(first.completed, whole: first.total) {
            problems.append(
                "the first progress was \(ReportText.size(first.completed)), \(test) expected")
        }
        if let test = self.last, !test.holds(last.completed, whole: last.total) {
            problems.append(
                "the last progress was \(ReportText.size(last.completed)), \(test) expected")
        }
        if let fraction { problems += Self.fraction(last, fraction) }
        return problems
    }

    /// The progress events that count.
    private func counted(_ events: [TransferEvent]) -> [TransferEvent] {
        var events = events[...]
        if let end = events.last, closes(end), events.dropLast().last?.kind == .progress {
            events = events.dropLast(2)
        }
        let progress = events.filter { $0.kind == .progress }
        guard leavesOutStart else { return progress }
        return Array(progress.drop { $0.completed == 0 })
    }

    /// True for an end before which the last progress is told once more.
    private func closes(_ end: TransferEvent) -> Bool {
        switch closing {
        case .none: false
        case .success: end.kind == .success
        case .successAndFailure:
            end.kind == .success || (end.kind == .failure && end.error?.code != .cancelled)
        }
    }

    private var needsEvents: Bool {
        total != nil || first != nil || last != nil || fraction != nil
    }

    private func totals(_ progress: [TransferEvent]) -> [String] {
        switch total {
        case nil: []
        case .unknown?:
            progress.first { $0.total != nil }.flatMap(\.total).map {
                ["the total was told as \(ReportText.size($0)), unknown expected"]
            } ?? []
        case .bytes(let test)?:
            progress.first { !($0.total.map { test.holds($0) } ?? false) }.map { event in
                let seen = event.total.map(ReportText.size) ?? "unknown"
                return ["the total was \(seen) at \(ReportText.time(event.time)), \(test) expected"]
            } ?? []
        }
    }

    private static func fraction(_ last: TransferEvent, _ test: NumberTest) -> [String] {
        guard let total = last.total, total > 0 else {
            return ["the last progress has no fraction, because its total is unknown or 0"]
        }
        let fraction = Double(last.completed) / Double(total)
        return test.holds(fraction) ? [] : ["the last fraction was \(fraction), \(test) expected"]
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        default: "\(count) times"
        }
    }
}
