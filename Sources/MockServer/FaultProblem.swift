package import FaultEngine

/// A fault fired, and something that it was to do could not be done.
package struct FaultProblem: Hashable, Sendable {
    package let rule: FaultRule
    package let reason: String

    package var message: String { "the fault '\(rule.title)' could not be carried out: \(reason)" }
}
