import Foundation
import Scenario
import Testing

/// `scenarios/BEHAVIOURS.md`: every numbered behaviour, and what holds it.
@Suite("Page of behaviours")
struct BehaviourPageTests {
    private struct Row {
        let numbers: ClosedRange<Int>
        let held: String

        /// What stands between backticks.
        var names: [String] {
            held.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }

        init?(_ line: Substring) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, cells[0].hasPrefix("C") else { return nil }
            let ends = cells[0].split(separator: "-").compactMap { Int($0.dropFirst()) }
            guard let first = ends.first, let last = ends.last, first <= last else { return nil }
            numbers = first...last
            held = cells[3]
        }
    }

    private static let repository = URL(fileURLWithPath: SuiteFiles.directory)
        .deletingLastPathComponent()

    private static func rows() throws -> [Row] {
        let page = try String(
            contentsOfFile: SuiteFiles.directory + "/BEHAVIOURS.md", encoding: .utf8)
        return page.split(separator: "\n").compactMap(Row.init)
    }

    @Test("Has every number from 1 to 250 once, in order")
    func numbers() throws {
        #expect(try Self.rows().flatMap(\.numbers) == Array(1...250))
    }

    @Test("Says of every behaviour what holds it, or why nothing does")
    func holders() throws {
        for row in try Self.rows() {
            #expect(!row.names.isEmpty || row.held.hasPrefix("- "), "C\(row.numbers)")
        }
    }

    @Test("Names scenarios and tests that exist")
    func exists() throws {
        let files = try Self.testFiles()
        for row in try Self.rows() where !row.held.hasPrefix("- ") {
            for name in row.names {
                if name.contains("/") {
                    let path = SuiteFiles.directory + "/\(name).yaml"
                    #expect(
                        FileManager.default.fileExists(atPath: path), "C\(row.numbers): \(name)")
                    continue
                }
                let parts = name.split(separator: ".").map(String.init)
                let texts = files[parts[0]] ?? []
                #expect(!texts.isEmpty, "C\(row.numbers): \(name)")
                guard parts.count == 2 else { continue }
                #expect(
                    texts.contains { $0.contains("func \(parts[1])(") }, "C\(row.numbers): \(name)")
            }
        }
    }

    @Test("Every scenario that cites a behaviour stands in its row")
    func citations() throws {
        let rows = try Self.rows()
        var cited = 0
        for planned in try SuiteFiles.all() {
            let file = String(planned.id.prefix { $0 != "[" })
            for source in planned.scenario.sources.map(\.value) where source.hasPrefix("C") {
                guard let number = Int(source.dropFirst()) else { continue }
                cited += 1
                let row = rows.first { $0.numbers.contains(number) }
                #expect(row?.names.contains(file) == true, "\(file) cites \(source)")
            }
        }
        #expect(cited > 0)
    }

    /// The texts of test files by their names without `.swift`.
    private static func testFiles() throws -> [String: [String]] {
        let folder = repository.appendingPathComponent("Tests")
        var texts: [String: [String]] = [:]
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = found?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let name = file.deletingPathExtension().lastPathComponent
            texts[name, default: []].append(try String(contentsOf: file, encoding: .utf8))
        }
        return texts
    }
}
