import RunModel
import Scenario

/// How evidence becomes failures: the one way for a scenario's verdict and for its control.
struct Judging: Sendable {
    let failures: @Sendable (RunEvidence, Expectation) -> [Failure]

    /// Expectations and invariants.
    static let whole = Judging { evidence, expect in
        let judge = Judge(evidence: evidence)
        return judge.failures(expect) + judge.invariants(expect)
    }
}
