internal import FaultEngine
internal import StorageModel

extension TimeTest {
    /// What is wrong with the time of the event; nil when it is right.
    package func problem(
        with task: TaskRecord, scale: TimeScale = .exact, lookup: MomentLookup
    ) -> String? {
        let fitting = task.events.filter { event in
            fits(event.kind) && bytes?.holds(event.completed, whole: event.total) ?? true
        }
        guard fitting.indices.contains(ordinal - 1) else { return "\(name) never came" }
        var from = task.start
        if let since {
            guard let moment = lookup(since) else {
                return "the moment from which \(name) is timed never came"
            }
            from = moment.time
        }
        let seen = fitting[ordinal - 1].time - from
        guard !scale.widened(test).holds(seen) else { return nil }
        let scaled = scale.factor == 1 ? "" : " at a time scale of \(scale.factor)"
        return "\(name) came after \(ReportText.time(seen)), \(test) expected\(scaled)"
    }

    private func fits(_ kind: TransferEvent.Kind) -> Bool {
        switch moment {
        case .event(let wanted): kind == wanted
        case .end: kind.isTerminal
        }
    }

    private var name: String {
        let base =
            switch moment {
            case .event(let kind): kind.rawValue
            case .end: "end"
            }
        return ordinal == 1 ? base : "\(base)#\(ordinal)"
    }
}
