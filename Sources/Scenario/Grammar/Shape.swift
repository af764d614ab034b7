import FaultEngine
import StorageModel

/// The mappings of the language that have a fixed set of keys.
///
/// The raw value is the definition's name in the schema.
enum Shape: String, CaseIterable, Sendable {
    case scenario
    // Backend
    case backend
    case bandwidth
    case token
    case connectionLimit = "connection-limit"
    case linkChange = "link-change"
    case linkState = "link-state"
    case resumable
    case settings
    case access
    case accessRule = "access-rule"
    case object
    case content
    // Client
    case client
    case tokenScript = "token-script"
    case tokenAnswer = "token-answer"
    case instance
    // Faults
    case fault
    case filters
    case action
    case respond
    case retryAfterDate = "retry-after-date"
    case answerBody = "answer-body"
    case filler
    case headerEdit = "header-edit"
    case jsonEdit = "json-edit"
    case delay
    case normal
    case logNormal = "lognormal"
    case corrupt
    case hold
    case slice
    case raw
    case interim
    case continueDelay = "continue-delay"
    case refuse
    case range
    case redirect
    case slowHandshake = "slow-handshake"
    case keepAlive = "keep-alive"
    case session
    case objectChange = "object-change"
    case tokenExpiry = "token-expiry"
    case server
    // Steps
    case uploadStep = "step-upload"
    case downloadStep = "step-download"
    case pauseStep = "step-pause"
    case resumeStep = "step-resume"
    case cancelStep = "step-cancel"
    case snapshotStep = "step-snapshot"
    case observeStep = "step-observe"
    case unobserveStep = "step-unobserve"
    case getMetadataStep = "step-get-metadata"
    case updateMetadataStep = "step-update-metadata"
    case deleteStep = "step-delete"
    case urlStep = "step-url"
    case listStep = "step-list"
    case listAllStep = "step-list-all"
    case fetchStep = "step-fetch"
    case imageStep = "step-image"
    case referenceStep = "step-reference"
    case localStep = "step-local"
    case tokenStep = "step-token"
    case backendStep = "step-backend"
    case releaseStep = "step-release"
    case restartStep = "step-restart-client"
    case waitStep = "step-wait"
    case burstStep = "step-burst"
    case parallelStep = "step-parallel"
    case repeatStep = "step-repeat"
    case stream
    case gap
    case reading
    case precondition
    case metadata
    case metadataChange = "metadata-change"
    case observersOff = "observers-off"
    case referenceSource = "reference-source"
    case localAction = "local-action"
    case tokenUse = "token-use"
    case backendAction = "backend-action"
    // Expectations
    case expectation
    case task
    case observer
    case error
    case underlying
    case progress
    case metadataTest = "metadata-test"
    case timeSince = "time-since"
    case ends
    case textTest = "text-test"
    case contentTest = "content-test"
    case stored
    case requestsPart = "requests-part"
    case eventSequence = "event-sequence"
    case requestSequence = "request-sequence"
    case exchanges
    case exchangeFilters = "exchange-filters"
    case sessions
    case tokensAsked = "tokens-asked"
    case resources
    case invariants
    case result
    case urlResult = "result-url"
    case fetchResult = "result-fetch"
    case imageResult = "result-image"
    case referenceResult = "result-reference"
    case snapshotResult = "result-snapshot"
    case listResult = "result-list"
    case metadataResult = "result-metadata"

    /// The steps, in the order of the verbs.
    static let steps: [Shape] = StepVerb.Kind.allCases.map(Shape.init)

    init(_ verb: StepVerb.Kind) {
        switch verb {
        case .upload: self = .uploadStep
        case .download: self = .downloadStep
        case .pause: self = .pauseStep
        case .resume: self = .resumeStep
        case .cancel: self = .cancelStep
        case .snapshot: self = .snapshotStep
        case .observe: self = .observeStep
        case .unobserve: self = .unobserveStep
        case .getMetadata: self = .getMetadataStep
        case .updateMetadata: self = .updateMetadataStep
        case .delete: self = .deleteStep
        case .url: self = .urlStep
        case .list: self = .listStep
        case .listAll: self = .listAllStep
        case .fetch: self = .fetchStep
        case .image: self = .imageStep
        case .reference: self = .referenceStep
        case .local: self = .localStep
        case .token: self = .tokenStep
        case .backend: self = .backendStep
        case .release: self = .releaseStep
        case .restartClient: self = .restartStep
        case .wait: self = .waitStep
        case .burst: self = .burstStep
        case .parallel: self = .parallelStep
        case .repeat: self = .repeatStep
        }
    }

    /// What can be expected of the result of a step with this verb.
    static func result(of verb: String) -> Shape {
        switch verb {
        case "url": .urlResult
        case "fetch": .fetchResult
        case "image": .imageResult
        case "reference": .referenceResult
        case "snapshot": .snapshotResult
        case "list", "list-all": .listResult
        case "get-metadata", "update-metadata": .metadataResult
        default: .result
        }
    }

    static let results: [Shape] = [
        .result, .urlResult, .fetchResult, .imageResult, .referenceResult, .snapshotResult,
        .listResult, .metadataResult,
    ]

    /// The names of its keys.
    var keys: [String] { Self.names[self] ?? [] }

    var table: KeyTable { Self.tables[self] ?? KeyTable(keys: []) }

    private static let tables = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.made) })
    private static let names = tables.mapValues(\.names)

    private var made: KeyTable {
        fileTable ?? backendTable ?? faultTable ?? actionTable ?? stepTable ?? expectationTable
            ?? serverTestTable ?? KeyTable(keys: [])
    }
}
