import Scenario
import Testing

@Suite("Field cases")
struct FieldCaseTests {
    @Test("All files of the field cases load, with no other word than 'not yet supported'")
    func allLoad() {
        let plan = ScenarioLoader().plan([Fixtures.cases])
        let others = plan.diagnostics.filter { $0.kind != .notYetSupported }
        #expect(others.map(\.text) == [])
        #expect(Set(plan.planned.map(\.file)).count == 104)
    }
}
