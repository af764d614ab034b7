import EventMatching
import FaultEngine
package import Scenario
import StorageModel

/// What can be told of a scenario's time on the wall clock before it runs.
package struct WallEstimate {
    /// The silence at the end where the file asks for none, and the least where it does.
    package static let settle = Duration.milliseconds(300)
    /// Start and end of a scenario: server, configuration, the client's own work.
    private static let overhead = Duration.milliseconds(60)
    /// What a client makes of its first break or refusal before it has recovered, unscaled.
    private static let backOff = Duration.seconds(2)

    private let scenario: ScenarioFile
    private let scale: Double

    /// - Parameters:
    ///   - scenario: as its file says it.
    ///   - scale: the factor on its durations.
    package init(_ scenario: ScenarioFile, scale: Double) {
        self.scenario = scenario
        self.scale = scale
    }

    /// The silence at the end.
    package var settle: Duration {
        max(Self.settle, (scenario.settle ?? .zero) * scale)
    }

    /// How long it takes with a client that does as the scenario expects: a guess.
    package var expected: Duration {
        let waits = steps.reduce(.zero) { $0 + $1 } + (faultTimes.max() ?? .zero)
        let link = scenario.backend.link.map(\.at).max() ?? .zero
        return Self.overhead + settle + (waits + link + retries) * scale
    }

    /// After this it hangs: all waits of the file together, the time for which a client may go on
    /// trying, for each of its transfers, and 20 s of the machine's own slowness. A scenario's own
    /// `deadline` may only make it longer.
    package var deadline: Duration {
        let link = scenario.backend.link.map(\.at).max() ?? .zero
        let waits = (steps + faultTimes.map { $0 * 4 }).reduce(.zero, +) + link
        let tries = canBreak ? limits.reduce(.zero, +) + scenario.client.idleTimeout * 2 : .zero
        let own = scenario.deadline == ScenarioFile.defaultDeadline ? .zero : scenario.deadline
        return max(.seconds(20) + (waits + tries) * scale + settle, own * scale)
    }

    /// Of each run without faults that a controlled plan brings with it, if all of it passes.
    package static func twins(of plan: [PlannedScenario], scale: Double) -> [Duration] {
        FaultFreeTwins.all(of: plan).map { WallEstimate($0.scenario, scale: scale).expected }
    }

    // MARK: Parts

    /// What its steps wait for by the clock.
    private var steps: [Duration] { scenario.steps.flatMap(Self.waits) }

    private static func waits(_ step: Step) -> [Duration] {
        let times = (step.when?.times ?? []) + [step.after].compactMap(\.self)
        switch step.verb {
        case .wait(.duration(let time)): return times + [time]
        case .wait(.trigger(let trigger)): return times + trigger.times
        case .burst(let steps), .parallel(let steps): return times + steps.flatMap(waits)
        case .repeat(let loop):
            let rounds = (1...max(1, loop.count)).flatMap { loop.steps(ofRound: $0) }
            return times + rounds.flatMap(waits) + loop.gaps
        case .download(let download):
            return times + [download.reading?.duration].compactMap(\.self)
        case .upload(let upload):
            guard case .stream(let stream) = upload.source else { return times }
            return times + stream.gaps.map(\.duration)
        case .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .getMetadata,
            .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image, .reference, .local,
            .token, .backend, .release, .restartClient:
            return times
        }
    }

    private var faultTimes: [Duration] {
        scenario.faults.flatMap { rule in rule.actions.compactMap(\.longest) }
    }

    private var canBreak: Bool { !scenario.faults.isEmpty || !scenario.backend.link.isEmpty }

    /// How long a client tries: for each transfer, and for everything else together.
    private var limits: [Duration] {
        let client = scenario.client
        let verbs = scenario.steps.map(\.verb)
        let uploads = verbs.count { if case .upload = $0 { true } else { false } }
        let downloads = verbs.count { if case .download = $0 { true } else { false } }
        return Array(repeating: client.maxUploadRetryTime, count: uploads)
            + Array(repeating: client.maxDownloadRetryTime, count: downloads)
            + [client.maxOperationRetryTime]
    }

    /// What a client spends on trying again, as far as the expectations tell.
    private var retries: Duration {
        guard canBreak else { return .zero }
        let isExhausted = scenario.expect.tasks.contains { task in
            task.error?.value.codes == .one(.retryLimitExceeded)
        }
        return isExhausted ? limits.first ?? .zero : Self.backOff
    }
}

extension FaultAction {
    /// The longest time for which it keeps an exchange or a port; nil: it does not, or for ever.
    fileprivate var longest: Duration? {
        switch self {
        case .delay(.fixed(let time)), .delay(.uniform(_, let time)), .stall(let time?),
            .hold(_, let time?), .expectContinue(.delay(let time)), .refuse(let time, _),
            .tls(.slowHandshake(let time)), .delay(.logNormal(_, _, let time)):
            time
        case .delay(.normal(let mean, let deviation)): mean + deviation * 3
        case .delay(.list(let times)): times.max()
        case .backend(.server(.restart(_, let down))): down
        case .backend(.session(.lock(let time))): time
        case .respond, .drop, .disconnect, .silence, .throttle, .slice, .corrupt, .headers, .json,
            .length, .framing, .raw, .interim, .expectContinue, .range, .hash, .redirect, .tls,
            .keepAlive, .backend, .stall, .hold:
            nil
        }
    }
}
