package import StorageModel

/// The invariants that can be seen in the events of a task and in its exchanges.
package struct InvariantChecks: Sendable {
    let task: TaskRecord
    let exchanges: [ExchangeRecord]

    let grace: Duration
    /// True: the completed bytes are what was sent, not what the server has confirmed.
    let countsSentBytes: Bool

    /// - Parameters:
    ///   - exchanges: of this task, in any order; ``exchanges(of:before:in:)`` picks them.
    ///   - grace: how long a head may be under way; zero in virtual time.
    ///   - countsSentBytes: what the client tells as completed went out, and need not have come.
    package init(
        _ task: TaskRecord, exchanges: [ExchangeRecord], grace: Duration = .zero,
        countsSentBytes: Bool = false
    ) {
        self.task = task
        self.grace = grace
        self.countsSentBytes = countsSentBytes
        self.exchanges = exchanges.sorted { $0.ordinal < $1.ordinal }
    }

    /// The exchanges about the task's object in its direction, from its start on.
    ///
    /// - Parameter next: when the next task for the same object and direction began; nil: never.
    package static func exchanges(
        of task: TaskRecord, before next: Duration? = nil, in all: [ExchangeRecord]
    ) -> [ExchangeRecord] {
        all.filter { exchange in
            let direction =
                task.isUpload ? exchange.operation.isUpload : exchange.operation.isDownload
            return direction && exchange.path == task.path && exchange.bucket == task.bucket
                && exchange.start >= task.start && exchange.start < next ?? .seconds(Int64.max / 2)
        }
    }

    /// Every violation, in the order of the invariants.
    package func violations(except: Set<Invariant> = []) -> [InvariantViolation] {
        let checks: [(Invariant, () -> [InvariantViolation])] = [
            (.oneTerminal, oneTerminal), (.nothingAfter, nothingAfter),
            (.completion, completion), (.progressBounds, progressBounds),
            (.progressTotal, progressTotal), (.progressMonotone, progressMonotone),
            (.quietWhilePaused, quietWhilePaused), (.alternation, alternation),
            (.silentAfterCancel, silentAfterCancel),
        ]
        return checks.filter { !except.contains($0.0) }.flatMap { $0.1() }
    }

    func violation(
        _ invariant: Invariant, _ sentence: String, at time: Duration? = nil
    ) -> InvariantViolation {
        InvariantViolation(invariant, task: task.name, sentence, time: time)
    }

    static func at(_ event: TransferEvent) -> String {
        "at \(ReportText.time(event.time))"
    }

    // MARK: the end

    private func oneTerminal() -> [InvariantViolation] {
        let ends = task.events.filter(\.kind.isTerminal)
        guard let first = ends.first else { return noTerminal() }
        guard ends.count > 1 else { return [] }
        let second = ends[1]
        let (one, other) = (EventText.named(first), EventText.named(second))
        let sentence =
            first.kind == second.kind
            ? "the terminal event came \(ends.count == 2 ? "twice" : "\(ends.count) times"): "
                + "\(one) \(Self.at(first)) and \(other) \(Self.at(second))"
            : "two terminal events came: \(one) \(Self.at(first)) and \(other) \(Self.at(second))"
        return [violation(.oneTerminal, sentence, at: second.time)]
    }

    private func noTerminal() -> [InvariantViolation] {
        guard task.hasRecorder, !task.isPausedAtEnd, !task.isCutOff else { return [] }
        guard let last = task.events.last else {
            return [violation(.oneTerminal, "no event came at all, not even a terminal one")]
        }
        let sentence =
            "it never ended: the last event was \(EventText.named(last)) \(Self.at(last))"
        return [violation(.oneTerminal, sentence, at: last.time)]
    }

    private func nothingAfter() -> [InvariantViolation] {
        guard let end = task.events.firstIndex(where: \.kind.isTerminal) else { return [] }
        let late = task.events[(end + 1)...].filter { !$0.kind.isTerminal }
        guard let first = late.first else { return [] }
        let more = late.count > 1 ? " and \(late.count - 1) more" : ""
        return [
            violation(
                .nothingAfter,
                "\(EventText.seen(first)) \(Self.at(first))\(more) came after the end: "
                    + "\(EventText.named(task.events[end])) had come \(Self.at(task.events[end]))",
                at: first.time)
        ]
    }

    private func completion() -> [InvariantViolation] {
        guard !task.isCutOff else { return [] }
        guard task.hasCompletion else {
            return task.completions.isEmpty
                ? [] : [violation(.completion, "a completion was called that nobody gave")]
        }
        guard let called = task.completions.first else { return notCompleted() }
        if task.completions.count > 1 {
            let times = task.completions.map { "at \(ReportText.time($0.time))" }
            return [
                violation(
                    .completion,
                    "the completion was called \(times.count) times: \(ReportText.list(times))",
                    at: task.completions[1].time)
            ]
        }
        return agreement(called)
    }

    private func notCompleted() -> [InvariantViolation] {
        guard let end = task.events.first(where: \.kind.isTerminal) else { return [] }
        return [
            violation(
                .completion,
                "the completion was never called, although \(EventText.named(end)) came "
                    + Self.at(end), at: end.time)
        ]
    }

    private func agreement(_ called: TaskRecord.Completion) -> [InvariantViolation] {
        guard task.hasRecorder else { return [] }
        let said = called.error.map { "failure(\($0.code.rawValue))" } ?? "success"
        guard let end = task.events.first(where: \.kind.isTerminal) else {
            return [
                violation(
                    .completion,
                    "the completion said \(said) at \(ReportText.time(called.time)), "
                        + "but no terminal event came", at: called.time)
            ]
        }
        let agrees =
            end.kind == .success ? called.error == nil : called.error?.code == end.error?.code
        guard !agrees || (end.kind == .failure && called.error == nil) else { return [] }
        return [
            violation(
                .completion,
                "the completion said \(said), the terminal event \(EventText.named(end))",
                at: called.time)
        ]
    }
}
