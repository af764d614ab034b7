import FaultEngine
import Scenario
import StorageModel

/// The names given inside a `repeat`, as one of its rounds uses them: `up` is `up#3` in round 3.
struct RoundNames {
    private let names: Set<String>
    private let suffix: String

    /// - Parameter steps: those of the round; names inside them are this round's own.
    init(steps: [Step], round: Int) {
        names = Set(Self.names(in: steps))
        suffix = "#\(round)"
    }

    static func names(in steps: [Step]) -> [String] {
        steps.flatMap { step -> [String] in
            let own = step.name.map { [$0] } ?? []
            return switch step.verb {
            case .burst(let steps), .parallel(let steps): own + names(in: steps)
            case .repeat(let inner): own + names(in: inner.steps(ofRound: 1))
            case .upload, .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve,
                .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image,
                .reference, .local, .token, .backend, .release, .restartClient, .wait:
                own
            }
        }
    }

    func callAsFunction(_ name: String) -> String { names.contains(name) ? name + suffix : name }

    func step(_ step: Step) -> Step {
        var step = step
        step.name = step.name.map(callAsFunction)
        step.when = step.when.map(trigger)
        step.verb = verb(step.verb)
        return step
    }

    func trigger(_ trigger: Trigger) -> Trigger {
        switch trigger {
        case .task(let inner): .task(inner.with(task: self(inner.task)))
        case .result(let name, let moment): .result(name: self(name), moment)
        case .step(let name): .step(name: self(name))
        case .all(let parts): .all(parts.map(self.trigger))
        case .wire, .fault, .time, .gate: trigger
        }
    }

    private func verb(_ verb: StepVerb) -> StepVerb {
        switch verb {
        case .upload(var upload):
            upload.continues = upload.continues.map(callAsFunction)
            return .upload(upload)
        case .pause(let use): return .pause(task(use))
        case .resume(let use): return .resume(task(use))
        case .cancel(let use): return .cancel(task(use))
        case .snapshot(let task): return .snapshot(task: self(task))
        case .observe(var observe):
            observe.task = self(observe.task)
            return .observe(observe)
        case .unobserve(let unobserve): return .unobserve(observers(unobserve))
        case .list(var list):
            list.pageAfter = list.pageAfter.map(callAsFunction)
            return .list(list)
        case .fetch(let result): return .fetch(result: self(result))
        case .local(let action): return .local(local(action))
        case .release(let task): return .release(task: self(task))
        case .wait(.trigger(let trigger)): return .wait(.trigger(self.trigger(trigger)))
        case .burst(let steps): return .burst(steps.map(step))
        case .parallel(let steps): return .parallel(steps.map(step))
        case .repeat(let inner):
            let rounds = (1...max(1, inner.count)).map { inner.steps(ofRound: $0).map(step) }
            return .repeat(
                RepeatStep(
                    count: inner.count, gaps: inner.gaps, rounds: Array(rounds.prefix(inner.count)))
            )
        case .download, .getMetadata, .updateMetadata, .delete, .url, .listAll, .image, .reference,
            .token, .backend, .restartClient, .wait(.duration):
            return verb
        }
    }

    private func task(_ use: TaskUse) -> TaskUse {
        TaskUse(task: self(use.task), throughSnapshot: use.throughSnapshot)
    }

    private func observers(_ unobserve: UnobserveStep) -> UnobserveStep {
        switch unobserve {
        case .handle(let name): .handle(self(name))
        case .events(let task, let events): .events(task: self(task), events)
        case .all(let task): .all(task: self(task))
        }
    }

    private func local(_ action: LocalAction) -> LocalAction {
        switch action {
        case .delete(let name): .delete(self(name))
        case .truncate(let name, let size): .truncate(self(name), size: size)
        case .grow(let name, let bytes): .grow(self(name), by: bytes)
        case .forbid(let name): .forbid(self(name))
        case .purge(let task): .purge(task: self(task))
        case .create, .directory, .link: action
        }
    }
}
