/// Allows something; what no rule allows is refused (rule D27).
package struct AccessRule: Hashable, Sendable {
    package enum Right: String, Hashable, Sendable, CaseIterable {
        /// Downloads, metadata, lists.
        case read
        /// Uploads, changes of metadata, deletions.
        case write
    }

    package var rights: Set<Right>
    /// Of objects; a list is judged by its prefix as if a name followed.
    package var path: Glob
    package var needsSignIn = false
    /// Bytes of an uploaded object; nil: any.
    package var maxSize: Int64?
    /// Of an uploaded object; nil: any.
    package var contentType: Glob?

    package init(_ rights: Set<Right>, path: Glob) {
        self.rights = rights
        self.path = path
    }

    package func covers(_ right: Right, _ path: String, isSignedIn: Bool) -> Bool {
        rights.contains(right) && self.path.matches(path) && (isSignedIn || !needsSignIn)
    }

    /// Parameters of the type do not count.
    package func allows(contentType: String?) -> Bool {
        guard let wanted = self.contentType else { return true }
        let type = contentType?.prefix { $0 != ";" && $0 != " " } ?? ""
        return wanted.matches(String(type))
    }
}
