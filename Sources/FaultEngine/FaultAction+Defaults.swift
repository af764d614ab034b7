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

    /// What this version does not carry out, as a message names it; nil: it does.
    package func unsupported(at phase: FaultPhase) -> String? {
        switch phase {
        case .connect: return isSupportedAtConnect ? nil : "'\(name)' of a connection"
        case .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .responseBody, .responseEnd, .idle, .elapsed, .unread:
            return isPossible(at: phase) ? nil : "'\(name)' at \(phase.name)"
        }
    }

    private var isSupportedAtConnect: Bool {
        switch self {
        case .disconnect, .silence, .raw, .respond, .delay, .hold, .stall, .throttle, .slice,
            .refuse, .backend, .tls:
            true
        case .drop, .corrupt, .headers, .json, .length, .framing, .interim, .expectContinue,
            .range, .hash, .redirect, .keepAlive:
            false
        }
    }

    /// Whether the action has a meaning at the phase, so far as it is built.
    private func isPossible(at phase: FaultPhase) -> Bool {
        let isInAnswer: Bool
        var isInBody = false
        switch phase {
        case .idle: return isPossibleWhenIdle
        case .responseBody: (isInAnswer, isInBody) = (true, true)
        case .responseEnd, .unread: isInAnswer = true
        case .connect, .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .elapsed:
            isInAnswer = false
        }
        switch self {
        case .respond, .headers, .json, .hash, .length, .interim, .raw, .redirect:
            return !isInAnswer
        case .framing: return !isInAnswer || isInBody
        case .range: return phase == .requestHead || phase == .beforeCommit
        case .drop(.chunk): return phase == .beforeCommit
        case .drop(.answer): return phase == .afterCommit
        case .corrupt:
            if case .requestBody = phase { return true }
            return isInBody
        case .throttle, .slice: return phase != .responseEnd
        case .expectContinue: return phase == .requestHead
        case .tls: return false
        case .delay, .hold, .stall, .disconnect, .silence, .refuse, .backend,
            .keepAlive:
            return true
        }
    }

    /// Between two requests: what needs no exchange.
    private var isPossibleWhenIdle: Bool {
        switch self {
        case .disconnect, .silence, .raw, .refuse, .backend: true
        case .respond, .delay, .drop, .hold, .stall, .throttle, .slice, .corrupt, .headers, .json,
            .length, .framing, .interim, .expectContinue, .range, .hash, .redirect, .tls,
            .keepAlive:
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
