/// The report for a person at a terminal or in a log.
package struct ConsoleReport: Sendable {
    /// Whether to colour: only on a terminal, and not where `NO_COLOR` is set.
    package let usesColour: Bool

    package init(usesColour: Bool) { self.usesColour = usesColour }
}
