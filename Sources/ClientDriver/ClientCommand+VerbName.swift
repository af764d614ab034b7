extension ClientCommand {
    /// The verbs as the protocol and the scenario language write them.
    package enum VerbName: String, CaseIterable, Sendable {
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
        case release
        case token
        case purge
        case restart
        case burst
        case parallel
    }
}

extension ClientCommand.Verb {
    package var name: String { kind.rawValue }

    package var kind: ClientCommand.VerbName {
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
        case .release: .release
        case .token: .token
        case .purge: .purge
        case .restart: .restart
        case .burst: .burst
        case .parallel: .parallel
        }
    }
}
