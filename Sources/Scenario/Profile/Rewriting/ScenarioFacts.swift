import FaultEngine
import StorageModel

/// An upload or a download of a scenario.
struct TransferFacts {
    let name: String
    let isUpload: Bool
    /// True for a download into memory.
    var isInMemory = false
    /// True for an upload of a stream, whose size is not known when it begins.
    var isStream = false
    /// True for an upload that goes on with the session of an earlier process.
    var isContinued = false
    let object: ObjectAddress
    /// Bytes of an upload's source, or of a given object that nothing changes; nil: unknown.
    let size: Int64?
    /// True where it is started in every round of a `repeat`.
    let isRepeated: Bool
    /// How many steps pause it, each round counted.
    let pauses: Int
    let resumes: Int
    let cancels: Int
}

/// An observer that a step adds.
struct ObserverFacts {
    let task: String
    let kinds: Set<TransferEvent.Kind>
    let moment: TransferMoment
    /// Kinds that a step takes away from it later.
    let muted: Set<TransferEvent.Kind>

    var hearsAll: Bool { kinds.count == TransferEvent.Kind.allCases.count }

    func hears(_ kind: TransferEvent.Kind) -> Bool {
        kinds.contains(kind) && !muted.contains(kind)
    }
}

/// What the steps of a scenario tell about its transfers.
struct ScenarioFacts {
    private(set) var transfers: [TransferFacts] = []
    private(set) var observers: [String: ObserverFacts] = [:]
    /// The task, and its moment, by the name of a snapshot's result.
    private(set) var snapshots: [String: (task: String, when: Trigger?, moment: TransferMoment)] =
        [:]
    /// The object of a step with a result, by the result's name; nil for those without.
    private(set) var results: [String: ObjectAddress?] = [:]
    /// Every step, those inside others too.
    let steps: [Step]

    init(_ scenario: ScenarioFile) {
        steps = scenario.allSteps
        let moments = StepMoments(scenario.steps)
        let repeated = Self.repeatedNames(scenario.steps)
        for step in steps { add(step, scenario, moments, repeated) }
    }

    func transfer(_ name: String) -> TransferFacts? {
        let base = Self.base(name)
        return transfers.first { $0.name == base }
    }

    /// True where an observer or a snapshot tells of the transfer, beside its recorder.
    func isWatched(_ task: TransferFacts) -> Bool {
        observers.values.contains { ScenarioFacts.base($0.task) == task.name }
            || snapshots.values.contains { ScenarioFacts.base($0.task) == task.name }
    }

    var uploads: [TransferFacts] { transfers.filter(\.isUpload) }
    var downloads: [TransferFacts] { transfers.filter { !$0.isUpload } }

    /// The name without its round: `up#3` is a round of `up`.
    static func base(_ name: String) -> String { String(name.prefix { $0 != "#" }) }

    // MARK: Reading the steps

    private mutating func add(
        _ step: Step, _ scenario: ScenarioFile, _ moments: StepMoments, _ repeated: Set<String>
    ) {
        let isRepeated = step.name.map(repeated.contains) ?? false
        switch step.verb {
        case .upload(let upload):
            let size = upload.size ?? localSize(upload)
            addTransfer(step, upload.object, size, isUpload: true, isRepeated)
            if case .stream = upload.source { transfers[transfers.count - 1].isStream = true }
            transfers[transfers.count - 1].isContinued = upload.continues != nil
        case .download(let download):
            let size = Self.given(download.object, scenario)
            addTransfer(step, download.object, size, isUpload: false, isRepeated)
            if case .memory = download.destination {
                transfers[transfers.count - 1].isInMemory = true
            }
        case .observe(let observe): addObserver(step, observe, moments)
        case .snapshot(let task):
            if let name = step.name {
                snapshots[name] = (task, step.when, moments.moment(of: task, at: step))
            }
        case .getMetadata(let object), .updateMetadata(let object, _), .delete(let object),
            .url(let object), .listAll(let object), .image(let object):
            if let name = step.name { results[name] = object }
        case .list(let list): if let name = step.name { results[name] = list.prefix }
        case .fetch, .reference: if let name = step.name { results[name] = .some(nil) }
        case .pause, .resume, .cancel, .unobserve, .local, .token, .backend, .release,
            .restartClient, .wait, .burst, .parallel, .repeat:
            break
        }
    }

    private mutating func addTransfer(
        _ step: Step, _ object: ObjectAddress, _ size: Int64?, isUpload: Bool, _ isRepeated: Bool
    ) {
        let name = step.name ?? ""
        func count(_ isWanted: (StepVerb) -> TaskUse?) -> Int {
            steps.count { isWanted($0.verb).map { Self.base($0.task) == name } ?? false }
        }
        transfers.append(
            TransferFacts(
                name: name, isUpload: isUpload, object: object, size: size, isRepeated: isRepeated,
                pauses: count { if case .pause(let use) = $0 { use } else { nil } },
                resumes: count { if case .resume(let use) = $0 { use } else { nil } },
                cancels: count { if case .cancel(let use) = $0 { use } else { nil } }))
    }

    private mutating func addObserver(
        _ step: Step, _ observe: ObserveStep, _ moments: StepMoments
    ) {
        guard let name = step.name else { return }
        var muted: Set<TransferEvent.Kind> = []
        for case .unobserve(let removal) in steps.map(\.verb) {
            switch removal {
            case .handle(name): muted = Set(TransferEvent.Kind.allCases)
            case .events(observe.task, let kinds): muted.formUnion(kinds)
            case .all(observe.task): muted = Set(TransferEvent.Kind.allCases)
            case .handle, .events, .all: break
            }
        }
        observers[name] = ObserverFacts(
            task: observe.task, kinds: Set(observe.events),
            moment: moments.moment(of: observe.task, at: step), muted: muted)
    }

    /// The size of a local file that is made once and never changed; nil for any other.
    private func localSize(_ upload: UploadStep) -> Int64? {
        guard case .localFile(let name) = upload.source else { return nil }
        var size: Int64?
        for case .local(let action) in steps.map(\.verb) {
            switch action {
            case .create(name, let content):
                guard size == nil, let given = content.givenSize else { return nil }
                size = given
            case .truncate(name, _), .grow(name, _), .link(name, _), .directory(name),
                .delete(name), .forbid(name):
                return nil
            case .create, .delete, .truncate, .grow, .forbid, .directory, .link, .purge: break
            }
        }
        return size
    }

    /// The size of an object that is there from the beginning and that nothing changes.
    private static func given(_ object: ObjectAddress, _ scenario: ScenarioFile) -> Int64? {
        let given = scenario.backend.settings.objects.filter {
            $0.path == object.path && object.bucket == nil
        }
        let isChanged = scenario.allSteps.contains { step in
            switch step.verb {
            case .upload, .backend: true
            default: false
            }
        }
        return given.count == 1 && !isChanged ? given[0].content.givenSize : nil
    }

    private static func repeatedNames(_ steps: [Step]) -> Set<String> {
        var names: Set<String> = []
        for step in steps {
            switch step.verb {
            case .repeat(let loop):
                names.formUnion(loop.steps(ofRound: 1).flatMap(\.withInner).compactMap(\.name))
            case .burst(let inner), .parallel(let inner):
                names.formUnion(repeatedNames(inner))
            default: break
            }
        }
        return names
    }
}
