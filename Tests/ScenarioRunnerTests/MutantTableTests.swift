import CloudStorage
import Foundation
import Mutants
import StorageModel
import Testing

/// The table of mutants by itself: nothing is run.
@Suite("Table of mutants")
struct MutantTableTests {
    private static let drawn = DrawnMutants.all

    @Test("No two have the same name")
    func names() {
        let names = (Mutants.byHand + Self.drawn).map(\.name)
        let twice = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys
        #expect(twice.isEmpty, "\(twice)")
    }

    @Test("At least 40 are made by hand, and at least 20 more can be drawn")
    func numbers() {
        #expect(Mutants.byHand.count >= 40)
        #expect(Self.drawn.count >= 20)
        #expect(DrawnMutants.draw(30, seed: 1).count == 30)
    }

    @Test(
        "Each changes one part of the client, and each that is made in its tables differs from it")
    func onePart() {
        for mutant in Mutants.byHand + Self.drawn {
            #expect(mutant.parts.count == 1, "\(mutant): \(mutant.parts)")
        }
    }

    @Test("The honest client is the client as documented")
    func honest() {
        #expect(Mutant.honest.behaviour == .documented)
        #expect(Mutant.honest.parts.isEmpty)
    }

    @Test("Each breaks a published rule, and says in words how its mistake is named")
    func words() {
        for mutant in Mutants.byHand + Self.drawn {
            #expect(!mutant.rules.isEmpty, "\(mutant)")
            #expect(mutant.rules.allSatisfy(SuiteUnderTest.rules.contains), "\(mutant)")
            #expect(!mutant.says.isEmpty && !mutant.says.contains([]), "\(mutant)")
            #expect(!mutant.isNamed(by: ""), "\(mutant)")
            let first = mutant.mistake.first
            #expect(first?.isLowercase == true && !mutant.mistake.hasSuffix("."), "\(mutant)")
        }
    }

    @Test("The same seed draws the same, another one others")
    func draws() {
        let names = DrawnMutants.draw(25, seed: 7).map(\.name)
        #expect(names == DrawnMutants.draw(25, seed: 7).map(\.name))
        #expect(names != DrawnMutants.draw(25, seed: 8).map(\.name))
        #expect(Set(names).count == 25)
        #expect(DrawnMutants.draw(100_000, seed: 1).count == Self.drawn.count)
    }

    @Test("A drawn one that is no mistake is told, and explained by a name that is there")
    func explained() throws {
        let file = SuiteFiles.directory + "/../Conformance/mutants/explained.txt"
        let data = try #require(FileManager.default.contents(atPath: file))
        let text = String(decoding: data, as: UTF8.self)
        let all = try Explanations(text, file: "explained.txt")
        let names = Set((Mutants.byHand + Self.drawn).map(\.name))
        for entry in all.entries where entry.section == .equivalent {
            #expect(names.contains { entry.name.matches($0) }, "\(entry.name)")
        }
    }
}
