import StorageModel

/// What the control API can be asked for. The raw value is the path; `{name}` stands for a segment,
/// `{path...}` for the rest.
enum ControlRoute: String, Hashable, CaseIterable {
    case index = "/v1"
    case health = "/v1/health"
    case faults = "/v1/faults"
    case fault = "/v1/faults/{fault}"
    case gates = "/v1/gates"
    case gate = "/v1/gates/{gate}"
    case gateRelease = "/v1/gates/{gate}/release"
    case gateClose = "/v1/gates/{gate}/close"
    case objects = "/v1/objects"
    case object = "/v1/objects/{path...}"
    case snapshots = "/v1/snapshots"
    case snapshot = "/v1/snapshots/{snapshot}"
    case snapshotRestore = "/v1/snapshots/{snapshot}/restore"
    case sessions = "/v1/sessions"
    case session = "/v1/sessions/{session}"
    case sessionExpire = "/v1/sessions/{session}/expire"
    case sessionCancel = "/v1/sessions/{session}/cancel"
    case journal = "/v1/journal"
    case journalFollow = "/v1/journal/follow"
    case backend = "/v1/backend"
    case reset = "/v1/reset"

    /// The methods that it takes; with GET there is HEAD.
    var methods: [String] {
        switch self {
        case .index, .health, .gates, .gate, .sessions, .session, .journal, .journalFollow,
            .snapshots:
            ["GET"]
        case .faults: ["GET", "POST", "DELETE"]
        case .fault: ["GET", "DELETE"]
        case .objects: ["GET", "POST"]
        case .object: ["GET", "PUT", "DELETE"]
        case .snapshot: ["GET", "PUT", "DELETE"]
        case .gateRelease, .gateClose, .snapshotRestore, .sessionExpire, .sessionCancel, .backend,
            .reset:
            ["POST"]
        }
    }

    /// For the header `Allow`.
    var allowed: [String] {
        methods.contains("GET") ? ["GET", "HEAD"] + methods.dropFirst() : methods
    }

    private var parts: [Substring] { rawValue.split(separator: "/") }

    /// The values of the parts in braces; nil where the segments are not of this route.
    fileprivate func parameters(of segments: [String]) -> [String: String]? {
        var found: [String: String] = [:]
        let parts = parts
        for (index, part) in parts.enumerated() {
            guard index < segments.count else { return nil }
            if part == "{path...}" {
                let rest = segments[index...].joined(separator: "/")
                guard !rest.isEmpty else { return nil }
                found["path"] = PercentEncoding.decode(rest)
                return found
            }
            if part.hasPrefix("{") {
                let value = PercentEncoding.decode(segments[index])
                guard !value.isEmpty else { return nil }
                found[String(part.dropFirst().dropLast())] = value
            } else if part != segments[index] {
                return nil
            }
        }
        return parts.count == segments.count ? found : nil
    }

    /// What a method and a target lead to.
    enum Finding: Hashable {
        case found(ControlRoute, parameters: [String: String])
        case wrongMethod(ControlRoute)
        case unknown
    }

    static func find(_ method: String, _ target: RequestTarget) -> Finding {
        for route in allCases {
            guard let parameters = route.parameters(of: target.segments) else { continue }
            return route.allowed.contains(method)
                ? .found(route, parameters: parameters) : .wrongMethod(route)
        }
        return .unknown
    }
}
