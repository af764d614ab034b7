import Scenario

/// A scenario as `squall list --profile` shows it.
struct ProfileListing {
    /// The id first, the rest indented.
    let lines: [String]

    /// - Parameter showsExpectation: every part of what is expected, and what changed it.
    init(_ planned: PlannedScenario, showsExpectation: Bool) {
        if let reason = planned.skipReason {
            lines = ["\(planned.id)  (skipped: \(reason))"]
            return
        }
        guard showsExpectation else {
            lines = [planned.id]
            return
        }
        var lines = [planned.id]
        for entry in ExpectationText(planned.scenario).entries {
            lines.append("  \(entry.subject): \(entry.text)")
            for change in planned.rewrites where change.subject == entry.subject {
                lines.append("    \(Self.text(change))")
            }
        }
        var told = Set(ExpectationText(planned.scenario).entries.map(\.subject))
        for change in planned.rewrites where told.insert(change.subject).inserted {
            lines.append("  \(change.subject): not tested")
            for part in planned.rewrites where part.subject == change.subject {
                lines.append("    \(Self.text(part))")
            }
        }
        self.lines = lines
    }

    private static func text(_ change: ProfileRewrite) -> String {
        guard let before = change.before else { return "by \(change.cause)" }
        return "by \(change.cause); it was \(before)"
    }
}
