/// The keys of steps.
enum StepKeys {
    static let verbs = StepVerb.Kind.allCases.map(\.rawValue)

    /// Verbs whose step has a result.
    static let resultVerbs = Set(
        StepVerb.Kind.allCases.filter(\.hasResult).map(\.rawValue))

    /// Keys of every step.
    static let common = ["as", "when", "after", "inside", "in", "process"]
}

extension StepVerb.Kind {
    fileprivate var hasResult: Bool {
        switch self {
        case .snapshot, .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch,
            .image, .reference:
            true
        case .upload, .download, .pause, .resume, .cancel, .observe, .unobserve, .local, .token,
            .backend, .release, .restartClient, .wait, .burst, .parallel, .repeat:
            false
        }
    }

    /// Keys beside the verb.
    var keysBeside: [String] {
        switch self {
        case .upload:
            ["data", "file", "stream", "metadata", "if", "continue", "observers", "completion"]
        case .download:
            [
                "to", "maxSize", "existing", "destination", "reading", "observers", "completion",
            ]
        case .pause, .resume, .cancel: ["through"]
        case .observe: ["events", "renew"]
        case .updateMetadata: ["set"]
        case .list: ["maxResults", "page"]
        case .repeat: ["do", "gaps"]
        case .snapshot, .unobserve, .getMetadata, .delete, .url, .listAll, .fetch, .image,
            .reference, .local, .token, .backend, .release, .restartClient, .wait, .burst,
            .parallel:
            []
        }
    }
}
