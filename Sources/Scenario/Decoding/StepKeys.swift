/// The keys of steps.
enum StepKeys {
    static let verbs = [
        "upload", "download", "pause", "resume", "cancel", "snapshot", "observe", "unobserve",
        "get-metadata", "update-metadata", "delete", "url", "list", "list-all", "fetch",
        "reference", "local", "token", "backend", "release", "restart-client", "wait", "burst",
        "parallel", "repeat",
    ]

    /// Verbs whose step has a result.
    static let resultVerbs: Set<String> = [
        "snapshot", "get-metadata", "update-metadata", "delete", "url", "list", "list-all",
        "fetch", "reference",
    ]

    /// Keys of every step.
    static let common = ["as", "when", "after", "inside", "in", "process"]

    /// Keys beside a verb.
    static func beside(_ verb: String) -> [String] {
        switch verb {
        case "upload":
            ["data", "file", "stream", "metadata", "if", "continue", "observers", "completion"]
        case "download":
            [
                "to", "maxSize", "existing", "destination", "reading", "observers", "completion",
            ]
        case "pause", "resume", "cancel": ["through"]
        case "observe": ["events", "renew"]
        case "update-metadata": ["set"]
        case "list": ["maxResults", "page"]
        case "repeat": ["do", "gaps"]
        default: []
        }
    }
}
