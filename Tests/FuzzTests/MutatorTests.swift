import Fuzz
import Scenario
import Testing

@Suite("Files that chance has changed")
struct MutatorTests {
    private static var folder: String {
        let file = #filePath
        return (file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ".")
            + "/../../scenarios/retry"
    }

    private func mutator(seed: UInt64) throws -> Mutator {
        Mutator(corpus: try Corpus(folders: [Self.folder], faultRowEach: 2_000), seed: seed)
    }

    @Test("The same number and seed give the same file, others give others")
    func same() throws {
        let (one, other) = (try mutator(seed: 1), try mutator(seed: 1))
        let files = (0..<50).map { one.file($0).bytes }
        #expect(files == (0..<50).map { other.file($0).bytes })
        #expect(Set(files).count > 45)
        let third = try mutator(seed: 2)
        #expect((0..<50).map { third.file($0).bytes } != files)
    }

    @Test("Some load, and mean the same written out; some are refused")
    func outcomes() throws {
        let mutator = try mutator(seed: 3)
        let outcomes = (0..<400).map { LoadCheck().outcome(of: mutator.file($0)) }
        #expect(outcomes.count { $0 == .loaded } > 40)
        #expect(outcomes.count { $0 == .refused } > 40)
        let findings = outcomes.filter { if case .finding = $0 { true } else { false } }
        #expect(findings.isEmpty, "\(findings.prefix(3))")
    }

    @Test("A writer that is wrong on purpose is noticed")
    func selfCheck() throws {
        let results = SelfCheck.results(try mutator(seed: 4))
        #expect(results.count >= 3)
        for result in results { #expect(result.isNoticed, "\(result.name)") }
    }
}
