import ClientDriver
import FaultEngine
package import Scenario
import StorageModel

/// Wall time: every duration of a scenario file multiplied. Rates are divided, so that a body takes
/// its scaled time.
package struct WallScale {
    let factor: Double

    package init(factor: Double) { self.factor = factor }

    func callAsFunction(_ duration: Duration) -> Duration { duration * factor }

    func rate(_ rate: Int64) -> Int64 { max(1, Int64((Double(rate) / factor).rounded())) }

    // MARK: The file

    package func scenario(_ scenario: ScenarioFile) -> ScenarioFile {
        guard factor != 1 else { return scenario }
        var scenario = scenario
        scenario.backend = backend(scenario.backend)
        scenario.client = scenario.client.scaled(by: factor)
        scenario.faults = scenario.faults.map(rule)
        scenario.steps = scenario.steps.map(step)
        scenario.settle = scenario.settle.map { self($0) }
        scenario.deadline = self(scenario.deadline)
        return scenario
    }

    private func backend(_ backend: ScenarioBackend) -> ScenarioBackend {
        var backend = backend
        backend.settings.latency = self(backend.settings.latency)
        backend.settings.bandwidthUp = backend.settings.bandwidthUp.map(rate)
        backend.settings.bandwidthDown = backend.settings.bandwidthDown.map(rate)
        backend.settings.sessionLifetime = self(backend.settings.sessionLifetime)
        backend.settings.tokens = backend.settings.tokens?.mapValues { token in
            BackendSettings.Token(valid: token.valid.map { self($0) })
        }
        backend.link = backend.link.map {
            ScenarioBackend.LinkChange(at: self($0.at), state: $0.state)
        }
        return backend
    }

    // MARK: Faults

    private func rule(_ rule: FaultRule) -> FaultRule {
        var rule = rule
        rule.selector = selector(rule.selector)
        rule.phase = phase(rule.phase)
        rule.actions = rule.actions.map(action)
        return rule
    }

    func selector(_ selector: ExchangeSelector) -> ExchangeSelector {
        var selector = selector
        selector.filters.from = selector.filters.from.map { self($0) }
        selector.filters.until = selector.filters.until.map { self($0) }
        selector.filters.since = selector.filters.since.map(trigger)
        return selector
    }

    private func phase(_ phase: FaultPhase) -> FaultPhase {
        switch phase {
        case .idle(let time): .idle(self(time))
        case .elapsed(let time): .elapsed(self(time))
        case .unread(let time): .unread(self(time))
        case .connect, .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .responseBody, .responseEnd:
            phase
        }
    }

    private func action(_ action: FaultAction) -> FaultAction {
        switch action {
        case .delay(let time): .delay(delay(time))
        case .hold(let trigger, let atMost):
            .hold(until: self.trigger(trigger), atMost: atMost.map { self($0) })
        case .stall(let time): .stall(time.map { self($0) })
        case .throttle(let rate): .throttle(rate: self.rate(rate))
        case .slice(let size, let gap): .slice(size: size, gap: self(gap))
        case .expectContinue(.delay(let time)): .expectContinue(.delay(self(time)))
        case .refuse(let time, let kind): .refuse(for: self(time), kind)
        case .tls(.slowHandshake(let time)): .tls(.slowHandshake(self(time)))
        case .keepAlive(.close(let time)): .keepAlive(.close(after: self(time)))
        case .keepAlive(.maxAge(let time, let then)): .keepAlive(.maxAge(self(time), then: then))
        case .backend(let change): .backend(backend(change))
        case .respond, .drop, .disconnect, .silence, .corrupt, .headers, .json, .length, .framing,
            .raw, .interim, .expectContinue, .range, .hash, .redirect, .tls, .keepAlive:
            action
        }
    }

    private func delay(_ time: DelayTime) -> DelayTime {
        switch time {
        case .fixed(let time): .fixed(self(time))
        case .uniform(let low, let high): .uniform(self(low), self(high))
        case .normal(let mean, let deviation):
            .normal(mean: self(mean), deviation: self(deviation))
        case .logNormal(let median, let sigma, let maximum):
            .logNormal(median: self(median), sigma: sigma, maximum: self(maximum))
        case .list(let times): .list(times.map { self($0) })
        }
    }

    private func backend(_ action: BackendAction) -> BackendAction {
        switch action {
        case .session(.lock(let time)): .session(.lock(self(time)))
        case .server(.restart(let keeps, let down)):
            .server(.restart(keepsSessions: keeps, down: self(down)))
        case .session, .object, .token, .server, .link: action
        }
    }

    // MARK: Steps

    private func step(_ step: Step) -> Step {
        var step = step
        step.when = step.when.map(trigger)
        step.after = step.after.map { self($0) }
        step.verb = verb(step.verb)
        return step
    }

    private func verb(_ verb: StepVerb) -> StepVerb {
        switch verb {
        case .upload(var upload):
            if case .stream(var stream) = upload.source {
                stream.gaps = stream.gaps.map {
                    StreamSource.Gap(at: $0.at, duration: self($0.duration))
                }
                upload.source = .stream(stream)
            }
            return .upload(upload)
        case .download(var download):
            download.reading = download.reading.map {
                DownloadStep.SlowReading(stopAt: $0.stopAt, duration: self($0.duration))
            }
            return .download(download)
        case .backend(let action): return .backend(backend(action))
        case .wait(.duration(let time)): return .wait(.duration(self(time)))
        case .wait(.trigger(let trigger)): return .wait(.trigger(self.trigger(trigger)))
        case .burst(let steps): return .burst(steps.map(step))
        case .parallel(let steps): return .parallel(steps.map(step))
        case .repeat(let loop):
            let rounds = (1...max(1, loop.count)).map { loop.steps(ofRound: $0).map(step) }
            return .repeat(
                RepeatStep(
                    count: loop.count, gaps: loop.gaps.map { self($0) },
                    rounds: loop.count < 1 ? [[]] : rounds))
        case .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .getMetadata,
            .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image, .reference, .local,
            .token, .release, .restartClient:
            return verb
        }
    }

    /// The same moment, with its times scaled.
    func trigger(_ trigger: Trigger) -> Trigger {
        switch trigger {
        case .time(let time): .time(self(time))
        case .wire(let selector, let phase): .wire(self.selector(selector), self.phase(phase))
        case .all(let parts): .all(parts.map(self.trigger))
        case .task, .result, .fault, .step, .gate: trigger
        }
    }
}
