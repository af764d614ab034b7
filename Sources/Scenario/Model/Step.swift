package import FaultEngine
package import StorageModel

/// One entry of `steps` (section 6).
package struct Step: Hashable, Sendable {
    package var place: SourcePlace
    /// `as`: the task, observer, result or step that it makes.
    package var name: String?
    /// Its moment; nil: once the step above was carried out.
    package var when: Trigger?
    /// Added to `when`, or to the step before.
    package var after: Duration?
    /// Carried out inside the callback that `when` names.
    package var isInside = false
    /// The storage instance, if not the first.
    package var instance: String?
    /// The process, if not the first.
    package var process: String?
    package var verb: StepVerb

    package init(place: SourcePlace, verb: StepVerb) {
        self.place = place
        self.verb = verb
    }
}

/// What a step does.
package indirect enum StepVerb: Hashable, Sendable {
    /// The verbs. The raw value is the word that the language uses.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case upload
        case download
        case pause
        case resume
        case cancel
        case snapshot
        case observe
        case unobserve
        case getMetadata = "get-metadata"
        case updateMetadata = "update-metadata"
        case delete
        case url
        case list
        case listAll = "list-all"
        case fetch
        case image
        case reference
        case local
        case token
        case backend
        case release
        case restartClient = "restart-client"
        case wait
        case burst
        case parallel
        case `repeat`
    }

    case upload(UploadStep)
    case download(DownloadStep)
    case pause(TaskUse)
    case resume(TaskUse)
    case cancel(TaskUse)
    case snapshot(task: String)
    case observe(ObserveStep)
    case unobserve(UnobserveStep)
    case getMetadata(ObjectAddress)
    case updateMetadata(ObjectAddress, MetadataChange)
    case delete(ObjectAddress)
    case url(ObjectAddress)
    case list(ListStep)
    case listAll(prefix: ObjectAddress)
    /// A plain GET of the URL that the named result holds.
    case fetch(result: String)
    /// The image of a reference, through the client's image loader (rule D29).
    case image(ObjectAddress)
    case reference(ReferenceSource)
    case local(LocalAction)
    case token(TokenUse)
    case backend(BackendAction)
    case release(task: String)
    case restartClient
    case wait(WaitStep)
    /// In one turn of the client's callback queue.
    case burst([Step])
    /// At once from as many threads.
    case parallel([Step])
    case `repeat`(RepeatStep)

    /// The verb by itself.
    package var kind: Kind {
        switch self {
        case .upload: .upload
        case .download: .download
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .snapshot: .snapshot
        case .observe: .observe
        case .unobserve: .unobserve
        case .getMetadata: .getMetadata
        case .updateMetadata: .updateMetadata
        case .delete: .delete
        case .url: .url
        case .list: .list
        case .listAll: .listAll
        case .fetch: .fetch
        case .image: .image
        case .reference: .reference
        case .local: .local
        case .token: .token
        case .backend: .backend
        case .release: .release
        case .restartClient: .restartClient
        case .wait: .wait
        case .burst: .burst
        case .parallel: .parallel
        case .repeat: .repeat
        }
    }

    /// The word that the language uses for it.
    package var name: String { kind.rawValue }
}
