import StorageModel

/// Checks that the parts of a scenario fit each other.
struct ScenarioValidator {
    let scenario: ScenarioFile
    let decoder: ScenarioDecoder
    /// Every step once, those inside others too.
    let steps: [Step]

    init(_ scenario: ScenarioFile, _ decoder: ScenarioDecoder) {
        self.scenario = scenario
        self.decoder = decoder
        steps = scenario.allSteps
    }

    func validate() {
        checkSources()
        for fault in scenario.faults { checkOffset(of: fault) }
        checkLocalFiles()
        checkReads()
        checkSilentTasks()
    }

    private func checkSources() {
        let cited = scenario.sources.filter { RuleBook.looksLikeRule($0.value) }
        for source in cited where RuleBook.rule(named: source.value) == nil {
            decoder.error(
                "there is no rule '\(source.value)': the rules are \(RuleBook.ranges)",
                at: source.place)
        }
        guard scenario.level == .must, !cited.contains(where: Self.isPublished) else { return }
        guard let first = cited.first else {
            decoder.error(
                "a scenario of the level 'must' cites at least one published rule: source: [D17]",
                at: scenario.sources.first?.place ?? scenario.title.place)
            return
        }
        decoder.error(
            "a scenario that cites robustness rules alone is at most 'should': add level: should, "
                + "or the published rule (D or W) that it is about", at: first.place)
    }

    private static func isPublished(_ source: Placed<String>) -> Bool {
        let letter = Rule.Kind(rawValue: String(source.value.prefix(1)))
        return letter?.isPublished ?? false
    }
}
