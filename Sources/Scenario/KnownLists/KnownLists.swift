/// What a client's file says of scenarios that its client does not pass, or not always.
package struct KnownLists: Hashable, Sendable {
    /// Failed tries that a run may forgive in all, where the file does not say.
    package static let defaultFlakyLimit = 5

    /// Scenarios that must fail, in the order of the file.
    package var failing: [KnownEntry] = []
    /// Scenarios that may fail and must pass when they are tried again, in the order of the file.
    package var flaky: [KnownEntry] = []
    /// Failed tries that a whole run may forgive.
    package var flakyLimit = Self.defaultFlakyLimit

    package init() {}

    package var isEmpty: Bool { failing.isEmpty && flaky.isEmpty }
}
