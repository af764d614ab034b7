import Foundation
import Mutants
import RunModel
import Scenario
import StorageModel

/// The whole of a call.
struct Program: Sendable {
    private let options: Options
    private let suite: SuiteUnderTest
    private let mutants: [Mutant]
    private let explanations: Explanations
    private let witnesses: Witnesses

    private static let witnessFile = "\(Options.folder)/witnesses.txt"
    private static let explanationFile = "\(Options.folder)/explained.txt"

    struct Unusable: Error, CustomStringConvertible { let description: String }

    init(_ options: Options) throws {
        self.options = options
        suite = try SuiteUnderTest(
            options.paths.isEmpty ? ["scenarios"] : options.paths, filters: options.filters)
        let all = Mutants.byHand + DrawnMutants.draw(options.drawn, seed: options.seed)
        mutants = all.filter { mutant in
            options.mutants.isEmpty || options.mutants.contains { $0.matches(mutant.name) }
        }
        guard !mutants.isEmpty else { throw Unusable(description: "no mutant fits --mutant") }
        guard !suite.plan.isEmpty else { throw Unusable(description: "there is no scenario") }
        explanations =
            options.isPartial
            ? Explanations()
            : try Explanations(Self.text(Self.explanationFile), file: Self.explanationFile)
        witnesses = Witnesses(text: Self.text(Self.witnessFile))
    }

    private static func text(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func list() {
        for mutant in mutants {
            let parts = mutant.parts.joined(separator: ", ")
            print(
                "\(mutant.name) [\(parts)] \(mutant.rules.joined(separator: " ")): "
                    + "The client \(mutant.mistake).")
        }
        print("\(mutants.count) mutants, \(mutants.count(where: \.isDrawn)) of them drawn")
    }

    func run() async throws -> Int32 {
        let hunt = Hunt(plan: suite.plan, jobs: options.jobs, seed: options.seed)
        let control = await hunt.control()
        guard control.failed.isEmpty else {
            for result in control.failed {
                print("\(result.id): \(result.failures.first?.line ?? result.verdict.text)")
            }
            print("The honest client does not pass: nothing can be said of mutants.")
            return 1
        }
        var evidence = Evidence(mutants, suite, explanations, skipped: control.skipped)
        let output = Output(options)
        await Search(hunt, witnesses, progress: output.progress).fill(&evidence, options.depth)
        let report = MutantReport(evidence, isWhole: options.depth == .whole)
        for line in report.caughtTable { print(line) }
        if options.depth != .first, !options.isPartial {
            for line in report.ruleTable + report.scenarioTable { print(line) }
        }
        let isPageGood = try files(evidence, report)
        let problems = judged(evidence)
        for problem in problems { print("problem: \(problem)") }
        print(evidence.lastLine)
        return problems.isEmpty && isPageGood ? 0 : 1
    }

    private func judged(_ evidence: Evidence) -> [String] {
        if options.depth == .first || options.isPartial {
            return evidence.broken
                + evidence.survivors.filter { mutant in
                    explanations.reason(.equivalent, mutant.name) == nil
                }.map { "\($0.name) is not caught" }
        }
        return evidence.problems(isWhole: options.depth == .whole)
    }

    /// Writes and holds what is kept in files; true where a page that was to be held is as it should be.
    private func files(_ evidence: Evidence, _ report: MutantReport) throws -> Bool {
        if let json = options.json { try write(report.json(), json) }
        var witnesses = witnesses
        if options.updates, !options.isPartial {
            witnesses = Witnesses(choosingFrom: evidence)
            try write(witnesses.text, Self.witnessFile)
        }
        guard let page = options.page, !options.isPartial else { return true }
        let text = MutantPage(evidence.restricted(to: witnesses)).text
        if options.updates {
            try write(text, page)
            return true
        }
        if Self.text(page) == text { return true }
        try write(text, page + ".new")
        print("problem: \(page) is not what was found: compare it with \(page).new")
        return false
    }

    private func write(_ text: String, _ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw Unusable(description: "\(path) cannot be written")
        }
    }
}
