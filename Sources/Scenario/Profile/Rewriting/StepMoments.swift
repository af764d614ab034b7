import FaultEngine
import StorageModel

/// Where in its life a transfer is when a step is carried out.
enum TransferMoment: Hashable, Sendable {
    /// Its step has just been carried out.
    case start
    case running
    case paused
    case ended
    /// The scenario does not say.
    case unknown
}

/// What the order of the steps and their moments tell about the transfers at each step.
struct StepMoments {
    private typealias Known = [String: TransferMoment]
    /// By the place of the step.
    private var known: [SourcePlace: Known] = [:]
    /// By the name of the step.
    private var named: [String: Known] = [:]

    init(_ steps: [Step]) {
        var current: Known = [:]
        walk(steps, &current)
    }

    func moment(of task: String, at step: Step) -> TransferMoment {
        known[step.place]?[ScenarioFacts.base(task)] ?? .unknown
    }

    private mutating func walk(_ steps: [Step], _ current: inout Known) {
        for step in steps {
            if let when = step.when { current = moments(of: when) }
            if let after = step.after, after > .zero { Self.letTimePass(&current) }
            known[step.place] = current
            carryOut(step, &current)
            if let name = step.name { named[name] = current }
        }
    }

    private mutating func carryOut(_ step: Step, _ current: inout Known) {
        switch step.verb {
        case .upload, .download: step.name.map { current[$0] = .start }
        case .pause(let use), .resume(let use), .cancel(let use):
            let task = ScenarioFacts.base(use.task)
            if current[task] != .ended { current[task] = .unknown }
        case .wait(.trigger(let trigger)):
            Self.letTimePass(&current)
            current.merge(moments(of: trigger)) { $0 == .ended ? $0 : $1 }
        case .burst(let inner), .parallel(let inner): walk(inner, &current)
        case .repeat(let loop):
            walk(loop.steps(ofRound: 1), &current)
            Self.letTimePass(&current)
        case .observe, .unobserve, .snapshot, .local, .release, .reference: break
        case .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image, .token,
            .backend, .restartClient, .wait:
            Self.letTimePass(&current)
        }
    }

    /// What ended stays ended; of the rest nothing is known any more.
    private static func letTimePass(_ current: inout Known) {
        current = current.filter { $0.value == .ended }
    }

    private func moments(of trigger: Trigger) -> Known {
        switch trigger {
        case .task(let event):
            let task = ScenarioFacts.base(event.task)
            switch event.moment {
            case .end, .event(.success), .event(.failure): return [task: .ended]
            case .event(.pause): return [task: .paused]
            case .event(.resume), .event(.progress): return [task: .running]
            }
        case .step(let name), .result(let name, _):
            return (named[name] ?? [:]).filter { $0.value == .ended }
        case .all(let parts):
            var all: Known = [:]
            for part in parts {
                all.merge(moments(of: part)) { one, other in
                    one == .ended || other == .ended ? .ended : other
                }
            }
            return all
        case .wire, .fault, .time, .gate: return [:]
        }
    }
}
