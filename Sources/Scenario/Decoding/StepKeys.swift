/// The keys of steps.
enum StepKeys {
    static let verbs = StepVerb.Kind.allCases.map(\.rawValue)

    /// Verbs whose step has a result.
    static let resultVerbs = Set(
        StepVerb.Kind.allCases.filter(\.hasResult).map(\.rawValue))

    /// Keys of every step.
    static let common = Shape.commonKeys.names
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
}
