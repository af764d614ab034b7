import Foundation
import Scenario
import StorageModel
import Testing

@Suite("The page of profiles")
struct ProfilesPageTests {
    /// A section about a trait: its heading, its table and its example.
    struct Section: Sendable {
        var trait: String
        var values: [String] = []
        var examples: [Example] = []
    }

    struct Example: Sendable {
        var traits: String
        var body: String
        var changes: [String]
    }

    private static let lines: [String] = {
        let text = try? String(contentsOfFile: "Conformance/PROFILES.md", encoding: .utf8)
        return (text ?? "").components(separatedBy: "\n")
    }()

    /// The fenced block that begins in a line, without its fences.
    private static func block(from line: Int) -> ArraySlice<String> {
        let end = lines[(line + 1)...].firstIndex(of: "```") ?? line
        return lines[(line + 1)..<max(end, line + 1)]
    }

    static let sections: [Section] = {
        var sections: [Section] = []
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("### `") {
                sections.append(Section(trait: String(line.dropFirst(5).dropLast())))
            }
            guard !sections.isEmpty else { continue }
            let last = sections.count - 1
            if line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") {
                sections[last].values.append(String(line.dropFirst(3)[..<end]))
            }
            if line == "```yaml" {
                let yaml = Array(block(from: index))
                let traits = (yaml.first ?? "").dropFirst("traits: {".count).dropLast()
                sections[last].examples.append(
                    Example(
                        traits: String(traits), body: yaml.dropFirst().joined(separator: "\n"),
                        changes: []))
            }
            if line == "```text", !sections[last].examples.isEmpty {
                let example = sections[last].examples.count - 1
                sections[last].examples[example].changes = Array(block(from: index))
            }
        }
        return sections
    }()

    @Test("It has a section for each trait, in the order of the code")
    func traits() {
        #expect(Self.sections.map(\.trait) == Scenario.Trait.allCases.map(\.rawValue))
    }

    @Test("The table of each trait has the values of the code", arguments: Scenario.Trait.allCases)
    func values(trait: Scenario.Trait) throws {
        let section = try #require(Self.sections.first { $0.trait == trait.rawValue })
        #expect(section.values == trait.forms)
    }

    @Test("Each example is rewritten as the page shows it", arguments: Scenario.Trait.allCases)
    func examples(trait: Scenario.Trait) throws {
        let section = try #require(Self.sections.first { $0.trait == trait.rawValue })
        #expect(!section.examples.isEmpty)
        for example in section.examples {
            #expect(example.traits.contains(trait.rawValue))
            let rewriting = Rewriting(example.traits, example.body)
            #expect(rewriting.skipReason == nil)
            #expect(rewriting.changes == example.changes)
        }
    }

    @Test("It names every profile that is there")
    func profiles() {
        let names = ProfileLoader(folder: "Conformance/profiles").names
        #expect(names.count >= 4)
        for name in names {
            #expect(Self.lines.contains { $0.hasPrefix("| [`\(name)`](profiles/\(name).yaml) |") })
        }
    }
}
