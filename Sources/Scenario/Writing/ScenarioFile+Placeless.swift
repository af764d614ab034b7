import EventMatching
import FaultEngine
import StorageModel

/// Models apart from where their parts stand, so that two files can be compared.
extension ScenarioFile {
    /// The same scenario, as if all of it stood in one place; what repeats the file's own words, or
    /// their order, is made alike as well.
    package var placeless: ScenarioFile {
        var scenario = self
        scenario.title.place = .nowhere
        scenario.sources = sources.map { Placed($0.value, .nowhere) }
        scenario.faults = faults.map { rule in
            var rule = rule
            rule.text = ""
            rule.place = .nowhere
            return rule
        }
        scenario.steps = steps.map(\.placeless)
        scenario.expect = expect.placeless
        scenario.profiles = profiles.map { block in
            var block = block
            block.place = .nowhere
            block.replaced = block.replaced.placeless
            block.removed.sort { $0.lexicographicallyPrecedes($1) }
            return block
        }
        // They follow the order of the keys.
        scenario.serverTriggers = serverTriggers.map { Placed($0.value, .nowhere) }
            .sorted { "\($0.value)" < "\($1.value)" }
        return scenario
    }
}

extension SourcePlace {
    fileprivate static let nowhere = SourcePlace(file: "", line: 1, column: 1)
}

extension Placed {
    fileprivate var placeless: Placed { Placed(value, .nowhere) }
}

extension Step {
    fileprivate var placeless: Step {
        var step = self
        step.place = .nowhere
        switch verb {
        case .burst(let steps): step.verb = .burst(steps.map(\.placeless))
        case .parallel(let steps): step.verb = .parallel(steps.map(\.placeless))
        case .repeat(let loop): step.verb = .repeat(loop.placeless)
        case .upload, .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve,
            .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image,
            .reference, .local, .token, .backend, .release, .restartClient, .wait:
            break
        }
        return step
    }
}

extension RepeatStep {
    fileprivate var placeless: RepeatStep {
        var loop = RepeatStep(
            count: count, gaps: gaps, rounds: rounds.map { $0.map(\.placeless) })
        loop.bodyText = bodyText
        return loop
    }
}

extension Expectation {
    fileprivate var placeless: Expectation {
        var set = self
        set.tasks = tasks.map(\.placeless)
        set.observers = observers.map { observer in
            var observer = observer
            observer.place = .nowhere
            observer.events = observer.events?.placeless
            return observer
        }
        set.results = results.map(\.placeless)
        set.stored = stored.map {
            StoredExpectation(object: $0.object, place: .nowhere, test: $0.test)
        }
        set.requests = requests?.map(\.placeless)
        set.exchanges = exchanges.map(\.placeless)
        set.sessions?.place = .nowhere
        set.tokensAsked = tokensAsked?.placeless
        set.resources?.place = .nowhere
        set.complaints = complaints?.placeless
        set.invariants = invariants?.placeless
        set.outcomes = outcomes.map(\.placeless)
        return set
    }
}

extension TaskExpectation {
    fileprivate var placeless: TaskExpectation {
        var task = self
        task.place = .nowhere
        task.events = events?.placeless
        task.error = error?.placeless
        task.progress = progress?.placeless
        task.metadata = metadata?.placeless
        task.times = times.map(\.placeless)
        task.local = local?.placeless
        task.completion = completion?.placeless
        task.ends?.place = .nowhere
        return task
    }
}

extension ResultExpectation {
    fileprivate var placeless: ResultExpectation {
        var result = self
        result.place = .nowhere
        result.error = error?.placeless
        result.times = times.map(\.placeless)
        result.completion = completion?.placeless
        result.values = values.map {
            ResultValueExpectation(key: $0.key, place: .nowhere, test: $0.test)
        }
        result.ends?.place = .nowhere
        return result
    }
}
