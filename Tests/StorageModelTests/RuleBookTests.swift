import StorageModel
import Testing

@Suite("Rule book")
struct RuleBookTests {
    @Test("Each kind is numbered from 1 without a gap, the documents' rules to 29")
    func numbers() {
        for kind in Rule.Kind.allCases {
            let numbers = RuleBook.all.filter { $0.kind == kind }.map(\.number)
            #expect(numbers == Array(1...numbers.count))
        }
        #expect(RuleBook.all.count { $0.kind == .document } == 29)
    }

    @Test(
        "A rule is found by its name and nothing else is",
        arguments: ["D0", "D30", "B072", "W", ""])
    func lookup(name: String) {
        #expect(RuleBook.rule(named: name) == nil)
        #expect(RuleBook.sentence(for: name) == nil)
        for rule in RuleBook.all { #expect(RuleBook.rule(named: rule.name) == rule) }
    }

    @Test("Every rule is one sentence with a full stop, and no two are alike")
    func sentences() {
        for rule in RuleBook.all {
            #expect(rule.sentence.hasSuffix("."), "\(rule.name)")
            #expect(!rule.sentence.contains(". "), "\(rule.name)")
            #expect(rule.sentence.first?.isUppercase == true, "\(rule.name)")
            #expect(rule.sentence.count <= 200, "\(rule.name)")
        }
        #expect(Set(RuleBook.all.map(\.sentence)).count == RuleBook.all.count)
    }

    @Test("Every rule names a source, without a full stop")
    func sources() {
        for rule in RuleBook.all {
            #expect(!rule.source.isEmpty && !rule.source.hasSuffix("."), "\(rule.name)")
        }
    }

    @Test(
        "Names of rules are told from other sources by their form",
        arguments: [
            ("D17", true), ("W99", true), ("R1", true), ("B072", false), ("RFC 9110", false),
            ("D", false), ("D1a", false), ("d1", false), ("", false),
        ])
    func form(name: String, isRule: Bool) {
        #expect(RuleBook.looksLikeRule(name) == isRule)
    }

    @Test("Published are the rules of the documents and of the wire")
    func published() {
        #expect(Rule.Kind.allCases.filter(\.isPublished) == [.document, .wire])
    }
}
