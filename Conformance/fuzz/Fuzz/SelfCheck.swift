import FaultEngine
import Scenario

/// The proof that what must not be is noticed: writers that are wrong on purpose.
package enum SelfCheck {
    private static let mistakes: [(name: String, write: @Sendable (ScenarioFile) -> String)] = [
        (
            "a writer that loses the last step",
            { scenario in
                var scenario = scenario
                _ = scenario.steps.popLast()
                return scenario.text()
            }
        ),
        ("a writer that takes KiB for MiB", { $0.text().replacing("KiB", with: "MiB") }),
        ("a writer that forgets quotes", { $0.text().replacing("\"", with: "") }),
        (
            "a writer that forgets which of the requests a fault is for",
            { scenario in
                var scenario = scenario
                for index in scenario.faults.indices {
                    scenario.faults[index].selector.ordinal = .all
                }
                return scenario.text()
            }
        ),
    ]

    /// Each mistake with whether any of some hundred files shows it.
    package static func results(_ mutator: Mutator) -> [(name: String, isNoticed: Bool)] {
        mistakes.map { mistake in
            let check = LoadCheck(write: mistake.write)
            let isNoticed = (0..<600).contains { number in
                if case .finding = check.outcome(of: mutator.file(number)) { true } else { false }
            }
            return (mistake.name, isNoticed)
        }
    }
}
