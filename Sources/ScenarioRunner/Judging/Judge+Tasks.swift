import EventMatching
import FaultEngine
import RunModel
import Scenario
import StorageModel

// Tasks and observers.
extension Judge {
    func failures(_ expected: TaskExpectation) -> [Failure] {
        let names = evidence.names(expected.name)
        // A task that no step started is told as a missed step.
        let tasks = names.compactMap(evidence.book.task)
        return tasks.flatMap { failures(expected, $0) } + ends(expected, tasks)
    }

    private func failures(_ expected: TaskExpectation, _ task: TaskRecord) -> [Failure] {
        var failures: [Failure] = []
        let task = expected.countsMetadata ? evidence.withoutMetadata(task) : task
        func add(_ kind: Failure.Kind, _ sentences: [String], _ place: SourcePlace) {
            failures += sentences.map {
                Failure(kind, subject: task.name, "\(task.name): \($0)", place: place)
            }
        }
        if let events = expected.events { failures += self.events(events, task) }
        if let error = expected.error {
            add(.error, error.value.problems(with: evidence.error(of: task)), error.place)
        }
        if let progress = expected.progress {
            add(.progress, progress.value.problems(with: task.events), progress.place)
        }
        if let metadata = expected.metadata {
            let seen = evidence.book.metadata[task.name]
            add(.metadata, metadata.value.problems(with: seen), metadata.place)
        }
        for time in expected.times {
            let problem = time.value.problem(
                with: task, scale: evidence.scale, lookup: evidence.lookup)
            add(.time, problem.map { [$0] } ?? [], time.place)
        }
        if let local = expected.local {
            add(.local, self.local(local.value, task).map { [$0] } ?? [], local.place)
        }
        if let completion = expected.completion {
            add(.completion, self.completion(completion.value, task), completion.place)
        }
        return failures
    }

    private func events(_ expected: Placed<[EventPattern]>, _ task: TaskRecord) -> [Failure] {
        let difference = EventMatcher(expected.value, scale: evidence.scale).difference(
            from: task.events, begin: task.start, end: evidence.end,
            exchanges: evidence.exchanges(of: task))
        return difference.map {
            [
                Failure(
                    .events, subject: task.name, "\(task.name): \($0.sentence)",
                    place: expected.place, difference: $0)
            ]
        } ?? []
    }

    private func completion(
        _ expected: CompletionExpectation, _ task: TaskRecord
    ) -> [String] {
        let count = task.completions.count
        return switch expected {
        case .once: count == 1 ? [] : ["the completion was called \(count) times instead of once"]
        case .never: count == 0 ? [] : ["the completion was called, it never should have been"]
        }
    }

    private func local(_ expected: ContentExpectation, _ task: TaskRecord) -> String? {
        guard let destination = evidence.book.destinations[task.name] else {
            return "it has no local file"
        }
        return problem(
            expected, with: evidence.local(task.name), before: destination.before,
            what: "the local file")
    }

    private func ends(_ expected: TaskExpectation, _ tasks: [TaskRecord]) -> [Failure] {
        guard let ends = expected.ends else { return [] }
        let successes = tasks.count { $0.events.contains { $0.kind == .success } }
        let failed = tasks.count { $0.events.contains { $0.kind == .failure } }
        return number(
            .ends, subject: expected.name, "\(expected.name): successes", Int64(successes),
            ends.success, ends.place)
            + number(
                .ends, subject: expected.name, "\(expected.name): failures", Int64(failed),
                ends.failure, ends.place)
    }

    // MARK: Observers

    func failures(_ expected: ObserverExpectation) -> [Failure] {
        guard let events = expected.events else { return [] }
        return evidence.names(expected.name).compactMap(evidence.book.observer).compactMap {
            observer in
            let task = evidence.book.task(observer.task)
            let exchanges = task.map(evidence.exchanges) ?? []
            let metadata = expected.countsMetadata ? task.map(evidence.metadataBytes) ?? 0 : 0
            return EventMatcher(events.value, scale: evidence.scale).difference(
                from: observer.events.map { $0.without(metadata) }, begin: observer.start,
                end: evidence.end,
                exchanges: exchanges
            ).map {
                Failure(
                    .events, subject: observer.name, "\(observer.name): \($0.sentence)",
                    place: events.place, difference: $0)
            }
        }
    }
}
