import StorageModel

/// Checks that the parts of a scenario fit each other.
struct ScenarioValidator {
    /// The rules of the product pages are D1 to D29.
    private static let documentRules = 1...29

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
        var rules = 0
        for source in scenario.sources {
            guard let first = source.value.utf8.first, let number = Int(source.value.dropFirst())
            else { continue }
            switch first {
            case UInt8(ascii: "D"):
                rules += 1
                if !Self.documentRules.contains(number) {
                    decoder.error("there is no rule '\(source.value)'", at: source.place)
                }
            case UInt8(ascii: "W"): rules += 1
            default: break
            }
        }
        if scenario.level == .must, rules == 0 {
            decoder.error(
                "a scenario of the level 'must' cites at least one published rule: source: [D17]",
                at: scenario.sources.first?.place ?? scenario.title.place)
        }
    }
}
