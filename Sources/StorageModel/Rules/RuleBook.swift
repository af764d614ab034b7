/// The rules that scenarios cite. `scenarios/RULES.md` is made from it.
package enum RuleBook {
    /// Every rule: of the documents, of the wire, of robustness, each kind from 1.
    package static let all =
        numbered(.document, documentRules.map { ($0.sentence, $0.source, nil) })
        + numbered(.wire, wireRules.map { ($0.sentence, $0.source, nil) })
        + numbered(.robustness, robustnessRules)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The rule of a name such as `D14`; nil for a name that is no rule.
    package static func rule(named name: String) -> Rule? { byName[name] }

    /// The sentence of a rule such as `D14`; nil for a name that is no rule.
    package static func sentence(for name: String) -> String? { byName[name]?.sentence }

    /// The rule that an invariant, given by its name, watches over.
    package static func rule(ofInvariant name: String) -> Rule? {
        all.first { $0.invariant == name }
    }

    /// True for a name that has the form of a rule's, whether there is such a rule or not.
    package static func looksLikeRule(_ name: String) -> Bool {
        guard let letter = name.first, Rule.Kind(rawValue: String(letter)) != nil else {
            return false
        }
        let digits = name.utf8.dropFirst()
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// `D1 to D29, W1 to W40 and R1 to R20`
    package static let ranges = {
        let parts = Rule.Kind.allCases.map { kind in
            "\(kind.rawValue)1 to \(kind.rawValue)\(all.count { $0.kind == kind })"
        }
        return parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
    }()

    private static func numbered(
        _ kind: Rule.Kind, _ rules: [(sentence: String, source: String, invariant: String?)]
    ) -> [Rule] {
        rules.enumerated().map { index, rule in
            Rule(
                kind: kind, number: index + 1, sentence: rule.sentence, source: rule.source,
                invariant: rule.invariant)
        }
    }
}
