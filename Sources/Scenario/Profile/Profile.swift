package import EventMatching

/// The habits of one kind of client (SCENARIOS section 9).
package struct Profile: Sendable {
    package var name: String
    /// The file; nil for one that is built in.
    package var file: String?
    /// Names of the profiles whose blocks in scenarios count, the furthest base first; `documented`
    /// is not among them.
    package var lineage: [String]
    package var traits: Traits
    /// Invariants that this client is known not to keep.
    package var invariants: InvariantExceptions?
    /// Where each departure is known from, by the trait.
    package var sources: [Trait: String]

    package init(
        name: String, file: String? = nil, lineage: [String]? = nil,
        traits: Traits = .documented, invariants: InvariantExceptions? = nil,
        sources: [Trait: String] = [:]
    ) {
        self.name = name
        self.file = file
        self.lineage = lineage ?? (name == Self.documentedName ? [] : [name])
        self.traits = traits
        self.invariants = invariants
        self.sources = sources
    }

    package static let documentedName = "documented"
    package static let documented = Profile(name: documentedName)

    /// What is not as documented: `start-event: none`, in the order of the traits.
    package var departures: [String] {
        let own = Trait.allCases.filter { traits.text($0) != Traits.documented.text($0) }
        var texts = own.map { "\($0.rawValue): \(traits.text($0))" }
        for invariant in (invariants?.invariants ?? []).sorted(by: { $0.rawValue < $1.rawValue }) {
            texts.append("invariants: except \(invariant.rawValue)")
        }
        return texts
    }
}
