/// A change that a trait, or a scenario's own block, made in an expectation.
package struct ProfileRewrite: Hashable, Sendable {
    /// What changed it: `start-event: none`, or `profiles.apple` for the scenario's own block.
    package var cause: String
    /// What was changed: `up.events`, `requests`, `outcomes[2].down.error`.
    package var subject: String
    /// What the file says; nil: nothing.
    package var before: String?
    /// What is expected instead; nil: it is not tested.
    package var after: String?

    package init(cause: String, subject: String, before: String?, after: String?) {
        self.cause = cause
        self.subject = subject
        self.before = before
        self.after = after
    }

    /// In one line.
    package var text: String {
        "\(cause) changed \(subject): \(before ?? "nothing") -> \(after ?? "not tested")"
    }
}
