/// Which complaints of the server are right (expectation `complaints`).
package enum ComplaintsTest: Hashable, Sendable {
    case none
    /// Each name at least once, and no other.
    case names([String])
}

/// An invariant that a scenario switches off.
package struct InvariantExceptions: Hashable, Sendable {
    package var invariants: Set<Invariant>
    package var why: String

    package init(_ invariants: Set<Invariant>, why: String) {
        self.invariants = invariants
        self.why = why
    }
}
