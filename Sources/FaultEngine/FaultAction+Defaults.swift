package import StorageModel

extension FaultAction {
    /// The word that the language uses for it.
    package var name: String {
        switch self {
        case .respond: "respond"
        case .delay: "delay"
        case .drop: "drop"
        case .hold: "hold"
        case .stall: "stall"
        case .disconnect: "disconnect"
        case .silence: "silence"
        case .throttle: "throttle"
        case .slice: "slice"
        case .corrupt: "corrupt"
        case .headers: "headers"
        case .json: "json"
        case .length: "length"
        case .framing: "framing"
        case .raw: "raw"
        case .interim: "interim"
        case .expectContinue: "continue"
        case .refuse: "refuse"
        case .range: "range"
        case .hash: "hash"
        case .redirect: "redirect"
        case .tls: "tls"
        case .keepAlive: "keep-alive"
        case .backend(let action): action.name
        }
    }

    /// The phase of a rule whose first action this is and that gives none; nil: `at` must be given.
    package func defaultPhase(for operation: OperationPattern) -> FaultPhase? {
        if operation == .one(.connect) { return .connect }
        switch self {
        case .tls: return .connect
        case .expectContinue: return .requestHead
        case .throttle, .slice:
            if case .one(let one) = operation, one.isUpload { return .requestHead }
            return operation == .uploadBody || operation == .prefix("upload.")
                ? .requestHead : .responseHead
        case .respond, .backend, .range, .drop(.chunk): return .beforeCommit
        case .drop(.answer): return .afterCommit
        case .delay, .headers, .json, .length, .framing, .raw, .interim, .hash, .redirect:
            return .responseHead
        case .keepAlive: return .responseEnd
        case .hold, .stall, .disconnect, .silence, .corrupt, .refuse: return nil
        }
    }

    /// Why the action cannot be carried out in the phase yet; nil: it can.
    package func unsupported(at phase: FaultPhase) -> String? {
        switch phase {
        case .idle: return "the phase 'idle'"
        case .elapsed: return "the phase 'elapsed'"
        case .unread: return "the phase 'unread'"
        case .connect: return isSupportedAtConnect ? nil : "'\(name)' of a connection"
        case .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .responseBody, .responseEnd:
            return isSupported ? nil : "the action '\(name)'"
        }
    }

    private var isSupportedAtConnect: Bool {
        switch self {
        case .disconnect(let kind): kind != .half
        case .silence: true
        default: false
        }
    }

    /// True for the actions that this version carries out.
    package var isSupported: Bool {
        switch self {
        case .respond(let answer): !answer.isHTTP10
        case .delay, .drop, .hold, .stall, .disconnect, .silence, .headers, .json, .range, .hash:
            true
        case .corrupt, .length, .backend: true
        case .throttle, .slice, .framing, .raw, .interim, .expectContinue, .refuse, .redirect,
            .tls, .keepAlive:
            false
        }
    }
}

extension BackendAction {
    /// The word that the language uses for it.
    package var name: String {
        switch self {
        case .session: "session"
        case .object: "object"
        case .token: "token"
        case .server: "server"
        case .link: "link"
        }
    }
}
