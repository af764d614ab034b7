import Foundation
import StorageModel
import Testing

@Suite("squall rules")
struct RulesPageTests {
    @Test("The page of rules is what the rule book says today")
    func page() throws {
        let made = try Command.squall("rules", "--markdown")
        let kept = try String(
            contentsOf: Command.root.appending(path: "scenarios/RULES.md"), encoding: .utf8)
        let same = made.output == kept
        #expect(made.status == 0)
        #expect(same, "make it anew: squall rules --markdown > scenarios/RULES.md")
    }

    @Test("A rule is shown with its source, and with the invariant that watches over it")
    func one() throws {
        let outcome = try Command.squall("rules", "W19", "R2")
        let wire = try #require(RuleBook.rule(named: "W19"))
        let robust = try #require(RuleBook.rule(named: "R2"))
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                W19: \(wire.sentence)
                  Source: \(wire.source)

                R2: \(robust.sentence)
                  Source: \(robust.source)
                  Checked in every run: nothing-after

                """)
    }

    @Test("Without a name each rule is a line")
    func all() throws {
        let outcome = try Command.squall("rules")
        #expect(outcome.output.split(separator: "\n").count == RuleBook.all.count)
    }

    @Test("A rule that there is not is told, with the nearest and with those that there are")
    func unknown() throws {
        let outcome = try Command.squall("rules", "d170")
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains(
                "there is no rule 'd170': the rules are \(RuleBook.ranges); did you mean 'D1"))
    }
}
