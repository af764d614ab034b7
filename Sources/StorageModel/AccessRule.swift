/// Allows something; what no rule allows is refused (rule D27).
package struct AccessRule: Hashable, Sendable {
    package enum Right: String, Hashable, Sendable, CaseIterable {
        /// `get` and `list`.
        case read
        /// `create`, `update` and `delete`.
        case write
        /// Downloads, and one object's metadata.
        case get
        case list
        /// Uploads.
        case create
        /// Changes of metadata.
        case update
        case delete

        /// The wider right that includes this one.
        var whole: Right {
            switch self {
            case .read, .get, .list: .read
            case .write, .create, .update, .delete: .write
            }
        }
    }

    /// Who asks.
    package enum Caller: Hashable, Sendable {
        case nobody
        /// - Parameter token: the name of a known token; nil for any other that is accepted.
        case signedIn(token: String?)
        /// Whoever a rule wants.
        case anybody
    }

    package var rights: Set<Right>
    /// Of objects; a list is judged by its prefix as if a name followed.
    package var path: Glob
    package var needsSignIn = false
    /// Names of the tokens that it is for; nil: any, and none.
    package var tokens: Set<String>?
    /// Bytes of an uploaded object; nil: any.
    package var maxSize: Int64?
    /// Of an uploaded object; nil: any.
    package var contentType: Glob?

    package init(_ rights: Set<Right>, path: Glob) {
        self.rights = rights
        self.path = path
    }

    package func covers(_ right: Right, _ path: String, _ caller: Caller) -> Bool {
        (rights.contains(right) || rights.contains(right.whole)) && self.path.matches(path)
            && allows(caller)
    }

    private func allows(_ caller: Caller) -> Bool {
        switch caller {
        case .anybody: true
        case .nobody: !needsSignIn && tokens == nil
        case .signedIn(let token):
            tokens.map { tokens in token.map(tokens.contains) ?? false } ?? true
        }
    }

    /// Parameters of the type do not count.
    package func allows(contentType: String?) -> Bool {
        guard let wanted = self.contentType else { return true }
        let type = contentType?.prefix { $0 != ";" && $0 != " " } ?? ""
        return wanted.matches(String(type))
    }
}
