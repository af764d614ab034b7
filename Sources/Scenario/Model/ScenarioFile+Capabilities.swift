import EventMatching
import FaultEngine
package import StorageModel

extension ScenarioFile {
    /// All that a client must be able to do: what `needs` lists, and what the rest shows.
    package var requiredCapabilities: Set<Capability> {
        var needed = Set(needs)
        let steps = allSteps
        for step in steps { needed.formUnion(step.capabilities) }
        let defaults = ClientSettings()
        if client.maxUploadRetryTime != defaults.maxUploadRetryTime
            || client.maxDownloadRetryTime != defaults.maxDownloadRetryTime
            || client.maxOperationRetryTime != defaults.maxOperationRetryTime
        {
            needed.insert(.limits)
        }
        if !client.tokens.isEmpty { needed.insert(.tokens) }
        if client.connections != nil { needed.insert(.connections) }
        if !client.processes.isEmpty { needed.insert(.processes) }
        if namesChunks, !expectsOwnChunks { needed.insert(.chunkSize) }
        if downloadsCompressed(steps) { needed.insert(.decoding) }
        let sets = [expect] + expect.outcomes
        if sets.contains(where: \.expectsChecksums) { needed.insert(.checksums) }
        return needed
    }

    /// Every step, those inside others too; of a repetition its first round.
    package var allSteps: [Step] { steps.flatMap(\.withInner) }

    /// `upload.chunk#n`, and `offset=` or `length=` of uploads in `requests`, need a chunk size.
    private var namesChunks: Bool {
        let selectors =
            faults.map(\.selector) + serverTriggers.flatMap(\.value.selectors)
            + allSteps.flatMap { $0.when?.selectors ?? [] }
        let numbersChunk = selectors.contains {
            $0.operation == .one(.uploadChunk) && $0.ordinal != .all
        }
        let sets = [expect] + expect.outcomes
        return numbersChunk
            || sets.contains { set in
                (set.requests ?? []).contains { $0.value.pattern.contains(where: \.namesChunk) }
            }
    }

    private func downloadsCompressed(_ steps: [Step]) -> Bool {
        let compressed = backend.settings.objects.filter(\.content.isGzipped).map(\.path)
        return steps.contains { step in
            if case .download(let download) = step.verb {
                compressed.contains(download.object.path)
            } else {
                false
            }
        }
    }
}

extension Step {
    /// The step and the steps inside it.
    var withInner: [Step] {
        switch verb {
        case .burst(let steps), .parallel(let steps): [self] + steps.flatMap(\.withInner)
        case .repeat(let repetition):
            [self] + repetition.steps(ofRound: 1).flatMap(\.withInner)
        case .upload, .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve,
            .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image,
            .reference, .local, .token, .backend, .release, .restartClient, .wait:
            [self]
        }
    }

    /// What a client must be able to do for this step alone.
    fileprivate var capabilities: Set<Capability> {
        var needed = verb.capabilities
        if isInside { needed.insert(.inside) }
        if instance != nil { needed.insert(.instances) }
        if process != nil { needed.insert(.processes) }
        return needed
    }
}

extension StepVerb {
    fileprivate var capabilities: Set<Capability> {
        switch self {
        case .upload(let step): step.capabilities
        case .download(let step): step.capabilities
        case .pause(let use): use.throughSnapshot ? [.pause, .snapshotTask] : [.pause]
        case .resume(let use): use.throughSnapshot ? [.resume, .snapshotTask] : [.resume]
        case .cancel(let use): use.throughSnapshot ? [.cancel, .snapshotTask] : [.cancel]
        case .snapshot: [.snapshots]
        case .observe: [.observe]
        case .unobserve: [.handles]
        case .getMetadata, .updateMetadata: [.metadata]
        case .delete: [.delete]
        case .url, .fetch: [.url]
        case .image: [.images]
        case .list, .listAll: [.list]
        case .reference: [.reference]
        case .local(let action): action.capabilities
        case .token: [.tokens]
        case .release: [.release]
        case .restartClient: [.restart]
        case .parallel: [.threads]
        case .backend, .wait, .burst, .repeat: []
        }
    }
}

extension UploadStep {
    fileprivate var capabilities: Set<Capability> {
        var needed: Set<Capability> =
            switch source {
            case .data: [.uploadData]
            case .file, .localFile: [.uploadFile]
            case .stream: [.uploadStream]
            }
        if continues != nil { needed.insert(.uploadContinue) }
        if ifGeneration != nil { needed.insert(.preconditions) }
        if !metadata.isEmpty { needed.insert(.metadata) }
        return needed
    }
}

extension DownloadStep {
    fileprivate var capabilities: Set<Capability> {
        var needed: Set<Capability> =
            switch destination {
            case .memory: [.downloadMemory]
            case .file(_, nil): [.downloadFile]
            case .file: [.downloadFile, .localFaults]
            }
        if reading != nil { needed.insert(.slowReader) }
        return needed
    }
}

extension LocalAction {
    fileprivate var capabilities: Set<Capability> {
        switch self {
        case .create, .directory, .link: []
        case .delete, .truncate, .grow, .forbid, .purge: [.localFaults]
        }
    }
}

extension Trigger {
    /// The selectors of its wire triggers.
    var selectors: [ExchangeSelector] {
        switch self {
        case .wire(let selector, _): [selector]
        case .all(let triggers): triggers.flatMap(\.selectors)
        case .task, .result, .fault, .step, .time, .gate: []
        }
    }
}

extension RequestPattern {
    fileprivate var namesChunk: Bool {
        switch self {
        case .atom(let condition, _):
            condition.operation.isOfUpload && (condition.offset != nil || condition.length != nil)
        case .any(let alternatives): alternatives.contains { $0.contains(where: \.namesChunk) }
        case .sequence(let parts, _): parts.contains(where: \.namesChunk)
        }
    }
}

extension OperationPattern {
    fileprivate var isOfUpload: Bool {
        switch self {
        case .uploadBody, .prefix("upload."): true
        case .one(let operation): operation.isUpload
        case .prefix, .everything: false
        }
    }
}

extension Expectation {
    fileprivate var expectsChecksums: Bool {
        tasks.contains { task in
            if let codes = task.error?.value.codes, codes == .one(.nonMatchingChecksum) {
                return true
            }
            return false
        }
    }
}
