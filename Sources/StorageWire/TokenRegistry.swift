package import StorageModel

/// The tokens that the backend knows; each is valid from its first use on.
///
/// Confined like the store. On the wire a token's text is its name.
package final class TokenRegistry {
    package enum Verdict: Hashable, Sendable {
        /// No credentials came.
        case absent
        case known(name: String)
        /// Any token is taken, and one came.
        case accepted
        case admin
        case expired(name: String)
        case unknown

        /// True where the request may be carried out.
        package var isSignedIn: Bool {
            switch self {
            case .known, .accepted, .admin: true
            case .absent, .expired, .unknown: false
            }
        }
    }

    private let tokens: [String: BackendSettings.Token]?
    private let now: () -> Duration
    private var firstUses: [String: Duration] = [:]
    private var expired: Set<String> = []

    /// - Parameters:
    ///   - tokens: by name; nil: every token is accepted.
    ///   - now: time on the scenario's clock.
    package init(tokens: [String: BackendSettings.Token]?, now: @escaping () -> Duration) {
        self.tokens = tokens
        self.now = now
    }

    /// Ends a token's life (`token: {expire: NAME}`); false where there is no such token.
    @discardableResult
    package func expire(_ name: String) -> Bool {
        guard tokens?[name] != nil else { return false }
        expired.insert(name)
        return true
    }

    /// Every token is as at the start: not used yet, and not expired.
    package func reset() {
        firstUses = [:]
        expired = []
    }

    /// Judges a request's credentials; the first use of a token starts its life.
    package func judge(_ credential: WireCall.Credential?) -> Verdict {
        guard let credential, !credential.token.isEmpty else { return .absent }
        if credential.token == "owner" { return .admin }
        guard let tokens else { return .accepted }
        let name = credential.token
        guard let token = tokens[name] else { return .unknown }
        if expired.contains(name) { return .expired(name: name) }
        let first = firstUses[name] ?? now()
        firstUses[name] = first
        if let valid = token.valid, now() - first >= valid { return .expired(name: name) }
        return .known(name: name)
    }

    /// The name of a known token, without using it; nil for any other.
    package func name(of credential: WireCall.Credential?) -> String? {
        credential.flatMap { tokens?[$0.token] == nil ? nil : $0.token }
    }
}
