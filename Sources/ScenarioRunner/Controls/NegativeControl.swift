import RunModel
import Scenario

/// Judges a passed scenario once more, with falsified evidence, by the judge that let it pass.
struct NegativeControl {
    let evidence: RunEvidence
    let expect: Expectation
    let judging: Judging

    /// - Parameters:
    ///   - scenario: its id.
    ///   - seed: of the scenario's run.
    func controls(_ extent: RunSettings.Controls, scenario: String, seed: UInt64) -> [Control] {
        var falsifier = Falsifier(evidence, expect, Draw(seed: seed, scenario: scenario))
        let lies: [Falsification] =
            switch extent {
            case .none: []
            case .one: [falsifier.one()].compactMap(\.self)
            case .everyKind: falsifier.ofEveryKind()
            }
        return lies.map { judge($0, scenario) }
    }

    private func judge(_ lie: Falsification, _ scenario: String) -> Control {
        var told = evidence
        lie.apply(&told)
        let failures = judging.failures(told, expect)
        return Control(
            scenario: scenario, kind: lie.kind, falsification: lie.what,
            noticer: lie.noticer.text, isRed: lie.noticer.isIn(failures),
            sentences: failures.map(\.sentence))
    }
}
