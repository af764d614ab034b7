import Foundation
import Scenario
import StorageModel
import Testing

/// `scenarios/COVERAGE.md` and what it must not be without.
@Suite("Coverage of the suite")
struct CoveragePageTests {
    private static func table() throws -> CoverageTable { CoverageTable(try SuiteFiles.all()) }

    @Test("The page is what `squall list --coverage` prints")
    func page() throws {
        let page = try String(
            contentsOfFile: SuiteFiles.directory + "/COVERAGE.md", encoding: .utf8)
        #expect(
            page == CoveragePage.text(try Self.table()),
            "squall list --coverage > scenarios/COVERAGE.md")
    }

    @Test("Every moment of every request has a scenario or a reason")
    func moments() throws {
        let table = try Self.table()
        for operation in StorageModel.Operation.allCases {
            for phase in PhaseName.allCases {
                let moment = CoverageTable.Moment(operation, phase)
                #expect(
                    table.moments[moment] != nil || CoverageReasons.reason(moment) != nil,
                    "\(operation.rawValue) \(phase.rawValue)")
            }
        }
    }

    @Test("Every rule of the product pages has a scenario that keeps it and one that tries it")
    func rules() throws {
        let table = try Self.table()
        for rule in (1...29).map({ "D\($0)" }) {
            #expect(table.kept[rule] != nil, "\(rule) as promised")
            #expect(table.tried[rule] != nil, "\(rule) put to the test")
        }
    }

    /// No published rule says that an upload goes on in another process: nothing there is a `must`.
    private static let topicsWithoutPortable: Set<String> = ["restart"]

    @Test("Every topic has a scenario that binds every client")
    func topics() throws {
        let without = try Self.table().topics.filter(\.portable.isEmpty).map(\.name)
        #expect(Set(without) == Self.topicsWithoutPortable)
    }
}
