import FaultEngine
import Foundation
import StorageModel
import Testing

@testable import Scenario

@Suite("Generated matrix")
struct GeneratedMatrixTests {
    private static let suite = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scenarios").path

    @Test("Every row has an id of its own, made of plain segments")
    func ids() {
        var seen: Set<String> = []
        for row in FaultTable.rows {
            #expect(seen.insert(row.id).inserted, "\(row.id): \(row.name)")
            let isPlain = row.id.allSatisfy {
                $0.isASCII && ($0.isLowercase || $0.isNumber || "-./".contains($0))
            }
            #expect(isPlain, "\(row.id)")
            #expect(row.id.split(separator: "/", omittingEmptySubsequences: false).count == 6)
        }
    }

    @Test("An id names the moment at which the fault is carried out")
    func moments() {
        for row in GeneratedMatrix.rows where row.phase == nil && row.fault.action != nil {
            guard let rule = FaultTable.plan(row).planned.first?.scenario.faults.last else {
                Issue.record("\(row.id)")
                continue
            }
            let moment = row.id.split(separator: "/")[4]
            #expect(moment == Self.word(rule.phase), "\(row.id)")
        }
    }

    private static func word(_ phase: FaultPhase) -> String {
        switch phase {
        case .connect: "connect"
        case .requestHead: "request-head"
        case .beforeCommit: "before-commit"
        case .afterCommit: "after-commit"
        case .responseHead: "response-head"
        case .responseEnd: "response-end"
        case .requestBody, .responseBody, .idle, .elapsed, .unread: "with a value"
        }
    }

    @Test("Has at least 1,500 rows, and at most one in twenty is named without being run")
    func size() {
        #expect(GeneratedMatrix.rows.count >= 1500)
        #expect(
            GeneratedMatrix.rows.count + GeneratedMatrix.undecided.count == FaultTable.rows.count)
        #expect(GeneratedMatrix.undecided.count * 20 <= FaultTable.rows.count)
    }

    @Test("A path stands for every row below it, in the order of the table")
    func paths() {
        let loader = ScenarioLoader()
        let all = loader.plan(["generated"])
        #expect(all.diagnostics.isEmpty)
        #expect(all.planned.map(\.id) == GeneratedMatrix.rows.map(\.id))
        let some = loader.plan(["generated/upload.query/"])
        #expect(
            some.planned.map(\.id)
                == all.planned.map(\.id).filter {
                    $0.hasPrefix("generated/upload.query/")
                })
        #expect(!some.planned.isEmpty)
        let id = GeneratedMatrix.rows[7].id
        for path in [id, id + ".yaml"] {
            #expect(loader.plan([path]).planned.map(\.id) == [id])
        }
    }

    @Test("Paths of a suite keep their ids beside generated rows")
    func idsOfNeighbours() throws {
        let suite = Self.suite
        let alone = ScenarioLoader().plan([suite]).planned.map(\.id)
        let both = ScenarioLoader().plan([suite, "generated/delete"]).planned
        #expect(both.map(\.id).filter { !GeneratedMatrix.holds($0) } == alone)
        let parts = ["\(suite)/cancel", "\(suite)/retry"]
        let two = ScenarioLoader().plan(parts).planned.map(\.id)
        let three = ScenarioLoader().plan(parts + ["generated/list"]).planned.map(\.id)
        #expect(three.filter { !GeneratedMatrix.holds($0) } == two)
        #expect(three.count > two.count)
    }

    @Test(
        "A path that is none says which segment is wrong, and what was perhaps meant",
        arguments: [
            ("generated/upload.chunks", "there is no 'upload.chunks' in generated", "upload.chunk"),
            (
                "generated/delete/conflict/respond-408",
                "there is no 'respond-408' in "
                    + "generated/delete/conflict", "respond-409"
            ),
        ])
    func unknown(path: String, message: String, suggestion: String) throws {
        let plan = ScenarioLoader().plan([path])
        #expect(plan.planned.isEmpty)
        let diagnostic = try #require(plan.diagnostics.first)
        #expect(diagnostic.message == message)
        #expect(diagnostic.suggestion == suggestion)
    }

    @Test("A row that is not decided is served, and not run")
    func undecided() throws {
        let row = try #require(GeneratedMatrix.undecided.first { !$0.needsTLS })
        let plan = ScenarioLoader().plan([row.id])
        #expect(plan.planned.isEmpty)
        #expect(plan.diagnostics.first?.message.contains("not decided") == true)
        let served = ScenarioLoader().planForServing(row.id)
        #expect(served.planned.map(\.id) == [row.id])
        #expect(served.isValid)
    }

    @Test("What is shown of a row is the file that it is run from")
    func text() throws {
        let row = try #require(GeneratedMatrix.rows.first { $0.target == .uploadChunk })
        let text = try #require(ScenarioLoader.text(ofFile: row.file))
        let kept = ScenarioLoader().read(Array(text.utf8), file: "kept.yaml", id: "kept")
        #expect(kept.diagnostics.isEmpty)
        let one = try #require(kept.planned.first?.scenario)
        let other = try #require(ScenarioLoader().plan([row.id]).planned.first?.scenario)
        #expect(ExpectationText(one).entries == ExpectationText(other).entries)
        #expect(one.faults.map(\.title) == other.faults.map(\.title))
    }

    @Test("A client's lists know generated rows where they name them")
    func lists() {
        let without = SuiteIDs.around([])
        let with = SuiteIDs.around([], hasGenerated: true)
        #expect(!without.ids.contains(where: GeneratedMatrix.holds))
        #expect(with.ids.count { GeneratedMatrix.holds($0) } == GeneratedMatrix.rows.count)
        #expect(SuiteIDs.id(of: "generated/a", file: "generated/a.yaml") == "generated/a")
    }

    @Test("Only a row that waits for a limit asks that limits can be set")
    func limits() {
        for (row, planned) in zip(GeneratedMatrix.rows, GeneratedMatrix.planned) {
            let asks = planned.scenario.requiredCapabilities.contains(.limits)
            #expect(asks == (row.outcome == .exhausts), "\(row.id)")
        }
    }
}
