/// How a planned scenario ended. The raw value is the name that reports use.
package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case passed
    /// The client broke an expectation.
    case failed
    /// Squall or the machine broke.
    case errored
    /// A fault never fired, or the moment of a step never came: it says nothing about the client.
    case void
    /// The client lacks a capability, or the mode of the run cannot carry it out.
    case skipped
    /// Newer than the suite that the client is pinned to: run and shown, never red.
    case pending
    /// Left out, for want of time or because the run was ended.
    case notRun
    /// Failed, as the client's list says.
    case expectedFailure
    /// Passed, although the client's list says that it fails.
    case unexpectedPass
    /// Passed in one try and failed in another, as the client's list allows.
    case flaky

    /// True for the verdicts that make a run red by themselves.
    package var isRed: Bool {
        switch self {
        case .failed, .errored, .void, .unexpectedPass: true
        case .passed, .skipped, .pending, .notRun, .expectedFailure, .flaky: false
        }
    }

    /// In words, for a line of text.
    package var text: String {
        switch self {
        case .notRun: "not run"
        case .expectedFailure: "expected failure"
        case .unexpectedPass: "unexpected pass"
        case .passed, .failed, .errored, .void, .skipped, .pending, .flaky: rawValue
        }
    }
}

/// How binding a scenario is.
package enum ScenarioLevel: String, Hashable, Sendable, CaseIterable {
    case must
    case should
    case may
}
