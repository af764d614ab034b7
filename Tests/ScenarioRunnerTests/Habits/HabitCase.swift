import EventMatching
import RunModel
import Scenario
import ScenarioRunner
import Testing

/// A value of a trait, the client that has this habit, and a scenario that shows it.
struct HabitCase: Sendable, CustomTestStringConvertible {
    /// What the documented client makes of the scenario as it is rewritten.
    enum Reference: Sendable {
        /// It fails, and these words are said.
        case fails([String])
        /// It passes as well.
        case passes(why: String)
    }

    let trait: Scenario.Trait
    /// As a profile file writes it.
    let value: String
    /// A scenario of the suite, with its row; or the text of one, without title and source.
    let scenario: String
    /// What is said of the client with the habit where nobody knows of it.
    let documented: [String]
    let reference: Reference
    var waitScale = 1.0

    init(
        _ trait: Scenario.Trait, _ value: String, in scenario: String, documented: [String],
        reference: Reference, waitScale: Double = 1
    ) {
        self.trait = trait
        self.value = value
        self.scenario = scenario
        self.documented = documented
        self.reference = reference
        self.waitScale = waitScale
    }

    var testDescription: String { "\(trait.rawValue): \(value)" }

    /// The form of `Trait.forms` that the value has.
    var form: String? {
        trait.forms.first { form in
            guard form.hasPrefix("{"), value.hasPrefix("{") else { return form == value }
            guard trait == .smallUpload || trait == .chunks else { return form != "{}" }
            return form.prefix { $0 != ":" } == value.prefix { $0 != ":" }
        }
    }

    func profile() throws -> Profile {
        let text = "name: mine\ntraits: {\(trait.rawValue): \(value)}\n"
        return try Habits.profile(text)
    }

    func planned() throws -> PlannedScenario { try Habits.planned(scenario) }

    func client() throws -> HabitClient {
        HabitClient(traits: try profile().traits, waitScale: waitScale)
    }
}

/// Runs of clients with habits.
enum Habits {
    static func profile(_ text: String) throws -> Profile {
        let reading = ProfileLoader(folder: SuiteFiles.directory + "/../Conformance/profiles")
            .read(Array(text.utf8), file: "mine.yaml")
        guard let profile = reading.profile else {
            throw Harness.Invalid(description: "\(reading.diagnostics)")
        }
        return profile
    }

    static func planned(_ scenario: String) throws -> PlannedScenario {
        guard scenario.contains("steps:") else { return try SuiteFiles.scenario(scenario) }
        let plan = try TemporaryPlan("title: A habit is seen\nsource: [D20]\n" + scenario)
        return try #require(plan.planned.first)
    }

    static func run(
        _ planned: PlannedScenario, _ source: ClientSource
    ) async -> Outcome {
        let results = await SuiteRunner(source, settings: RunSettings()).run([planned]).results
        return Outcome(result: results[0])
    }

    struct Outcome: CustomStringConvertible {
        let result: ScenarioResult

        var verdict: Verdict { result.verdict }

        /// Every sentence that is said of the failures.
        var sentences: String {
            result.failures.map { "\($0.kind.rawValue): \($0.sentence)" }.joined(separator: "\n")
        }

        var description: String { "\(verdict) \(result.reason ?? "")\n\(sentences)" }
    }
}
