import FaultEngine
import Foundation
import Scenario
import StorageModel
import Testing

/// One example of the catalogue, named as it is written.
struct CatalogueCase: Sendable, CustomTestStringConvertible {
    let fault: CatalogueFault
    let example: FaultExample

    static let all = FaultCatalogue.all.flatMap { fault in
        fault.examples.map { CatalogueCase(fault: fault, example: $0) }
    }

    /// Those that this version carries out.
    static let carriedOut = all.filter { $0.diagnostics.isEmpty }

    var testDescription: String { "\(fault.number) \(fault.name): \(text)" }

    private var text: String {
        switch example.form {
        case .line(let lines): lines.joined(separator: " + ")
        case .file(let text): text
        }
    }

    /// The example as a file for `squall check`.
    var scenarioText: String {
        if let text = example.scenarioText { return text }
        guard case .line(let lines) = example.form else { return "" }
        let faults = lines.map { "  - '\($0.replacing("'", with: "''"))'" }
        return "title: A fault to try\nlevel: may\nfaults:\n\(faults.joined(separator: "\n"))\n"
    }

    var diagnostics: [Diagnostic] {
        ScenarioLoader().read(Array(scenarioText.utf8), file: "fault.yaml", id: "fault").diagnostics
    }

    /// Beside the address and the file.
    var serveArguments: [String] {
        let faults =
            switch example.form {
            case .line(let lines): lines.flatMap { ["--fault", $0] }
            case .file: ["--scenario", "fault.yaml"]
            }
        return faults + example.options + ["--data", "photo.jpg=photo.jpg"]
    }
}

@Suite("Catalogue of faults", .serialized)
struct FaultCatalogueTests {
    /// What the shell of the catalogue makes, too.
    private static let photo = Data(
        (1...200_000).map { "\($0)\n" }.joined().utf8.prefix(FaultCatalogue.photoSize))

    @Test("Every number from 1 to 60 is a fault once, but for the one that cannot be served")
    func numbers() {
        let numbers = FaultCatalogue.all.map(\.number) + [FaultCatalogue.unserved.number]
        #expect(numbers.sorted() == Array(1...60))
        #expect(FaultCatalogue.all.map(\.number) == FaultCatalogue.all.map(\.number).sorted())
        let names = FaultCatalogue.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
    }

    @Test("Every example loads as `squall check` loads it", arguments: CatalogueCase.all)
    func loads(example: CatalogueCase) {
        let wrong = example.diagnostics.filter { $0.kind != .notYetSupported }
        #expect(wrong.isEmpty, "\(wrong.map(\.text))")
        guard case .line(let lines) = example.example.form else { return }
        for line in lines {
            let read = ScenarioLoader().fault(line, position: 1)
            let wrong = read.diagnostics.filter { $0.kind != .notYetSupported }
            #expect(wrong.isEmpty, "\(wrong.map(\.text))")
        }
    }

    @Test(
        "curl ends as the catalogue says, and the fault fired",
        arguments: CatalogueCase.carriedOut)
    func curl(example: CatalogueCase) throws {
        let seen = try #require(example.example.seen, "not measured")
        let served = try Served(
            example.serveArguments,
            files: ["photo.jpg": Self.photo, "fault.yaml": Data(example.scenarioText.utf8)])
        let scratch = try Scratch()
        let usesTLS = example.example.options.contains("--tls")
        let shell = FaultCatalogue.shell.replacing(":9199", with: ":\(served.port)")
            .replacing("ca=ca.pem", with: usesTLS ? "ca=\(try served.authority)" : "ca=")
        let outcome = try Command.run(
            URL(filePath: "/bin/bash"), ["-c", shell + "\n" + example.example.trial],
            in: scratch.url, ["NO_PROXY": "*", "no_proxy": "*"])
        let exit = Int(outcome.status)
        #expect(exit == seen.exit || exit == seen.orExit, "\(outcome.all)")
        let status = outcome.output.split(whereSeparator: \.isNewline).last.flatMap { Int($0) }
        #expect(status == seen.status, "\(outcome.all)")
        if exit == seen.exit, !seen.says.isEmpty {
            #expect(outcome.all.contains(seen.says), "\(outcome.all)")
        }
        let counts = fired(try served.end().output)
        #expect(!counts.contains(0), "\(counts)")
        if case .line(let lines) = example.example.form { #expect(counts.count == lines.count) }
    }

    /// The counts of the table at the end.
    private func fired(_ output: String) -> [Int] {
        let table = output.split(separator: "fired  fault\n", maxSplits: 1).dropFirst().first ?? ""
        return table.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.isEmpty }
            .compactMap { line in
                line.hasPrefix(" ") ? line.split(separator: " ").first.flatMap { Int($0) } : nil
            }
    }

    @Test("The tests that an entry names are there")
    func proofs() throws {
        var known: Set<String> = []
        let folder = Command.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path))
        for case let path as String in files where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            var suite = ""
            for line in text.split(separator: "\n") {
                if line.hasPrefix("struct ") || line.hasPrefix("final class ") {
                    suite = String(
                        line.split(whereSeparator: { " :".contains($0) }).drop {
                            ["struct", "final", "class"].contains($0)
                        }.first ?? "")
                } else if line.hasPrefix("    func ") {
                    known.insert("\(suite).\(line.dropFirst(9).prefix { $0 != "(" })")
                }
            }
        }
        for fault in FaultCatalogue.all {
            for proof in fault.proofs {
                #expect(known.contains(proof), "\(fault.name): there is no test \(proof)")
            }
        }
    }

    @Test("The page is the one that the catalogue makes")
    func page() throws {
        let outcome = try Command.squall("faults", "--markdown")
        #expect(outcome.status == 0)
        let page = try String(
            contentsOf: Command.root.appending(path: "Conformance/FAULTS.md"), encoding: .utf8)
        let same = outcome.output == page
        #expect(same, "make it anew: squall faults --markdown > Conformance/FAULTS.md")
    }

    @Test("The page of outcomes is the one that the rules make")
    func outcomes() throws {
        let outcome = try Command.squall("faults", "--outcomes", "--markdown")
        #expect(outcome.status == 0)
        let page = try String(
            contentsOf: Command.root.appending(path: "Conformance/FAULT-TABLE.md"),
            encoding: .utf8)
        let same = outcome.output == page
        #expect(
            same, "make it anew: squall faults --outcomes --markdown > Conformance/FAULT-TABLE.md")
        #expect(try Command.squall("faults", "--outcomes", "cut-download").status == 2)
    }

    @Test("The page has a cell for every pair of phases, and none is empty")
    func phases() throws {
        let page = try Command.squall("faults", "--markdown").output
        let part = page.split(separator: "## Phases that meet\n", maxSplits: 1).last ?? ""
        let rows = part.prefix(upTo: part.firstRange(of: "\n## ")?.lowerBound ?? part.endIndex)
            .split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count == PhaseTable.Phase.allCases.count)
        for (row, phase) in zip(rows, PhaseTable.Phase.allCases) {
            let cells = row.split(separator: "|").map { $0.filter { $0 != " " } }
            #expect(cells.count == 1 + PhaseTable.Phase.allCases.count)
            #expect(cells[0] == "`\(phase.rawValue)`".filter { $0 != " " })
            #expect(cells.allSatisfy { !$0.isEmpty })
        }
    }

    @Test("The list has a line for each fault, and NAME or number show one of them")
    func command() throws {
        let list = try Command.squall("faults").output
        for fault in FaultCatalogue.all {
            #expect(list.contains("  \(fault.name) ") || list.contains(" \(fault.name) "))
        }
        let byName = try Command.squall("faults", "cut-download")
        #expect(byName.status == 0)
        #expect(byName.output.hasPrefix("44 cut-download\n"))
        #expect(byName.output.contains("$ squall serve --fault \"download#1 @ response-body 60%"))
        #expect(byName.output.contains("get() {"))
        #expect(try Command.squall("faults", "44").output == byName.output)
    }

    @Test(
        "A wrong name is told with the nearest right one",
        arguments: [
            (["cut-downlod"], "unknown fault 'cut-downlod'; did you mean 'cut-download'?"),
            (["0"], "unknown fault '0'"), (["6"], "fails inside the client"),
            (["name-resolution"], "fails inside the client"),
            (["redirect", "44"], "one fault is shown at a time"),
            (["redirect", "--markdown"], "--markdown writes all faults at once"),
            (["--mark"], "unknown option '--mark'"),
        ])
    func usage(words: [String], message: String) throws {
        let outcome = try Command.run(
            Command.products.appending(path: "squall"), ["faults"] + words)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message), "\(outcome.all)")
    }
}
