import StorageModel

extension ScenarioDecoder {
    private static let profileKeys = ["name", "about", "base", "traits", "invariants", "sources"]

    /// A whole profile; nil where the file is no profile at all.
    ///
    /// - Parameter base: reads the base that the file names, or reports why it cannot be had.
    func profileFile(
        _ root: YAMLNode, file: String, base: (String, SourcePlace) -> Profile?
    ) -> Profile? {
        guard let reader = MappingReader(root, "a profile", keys: Self.profileKeys, self) else {
            return nil
        }
        let short = ProfileLoader.shortName(file)
        var name = reader.read("name", self.name)
        if name == nil, !reader.has("name") {
            guard ScalarText.isName(short) else {
                error("the profile needs a 'name': '\(short)' is none", at: root.place)
                return nil
            }
            name = short
        }
        _ = reader.read("about", text)
        let parent = reader.read("base") { node in
            text(node).flatMap { base($0, node.place) }
        }
        var profile = Profile(name: name ?? short, file: file)
        let start = parent ?? .documented
        profile.lineage = start.lineage + profile.lineage.filter { !start.lineage.contains($0) }
        profile.traits = reader.read("traits") { traits($0, over: start.traits) } ?? start.traits
        profile.invariants = reader["invariants"].flatMap(invariants)?.value ?? start.invariants
        profile.sources = sources(reader["sources"], over: start, profile.traits)
        return profile
    }

    /// Where each departure is known from; those of the base go on for what was not changed.
    private func sources(
        _ node: YAMLNode?, over base: Profile, _ traits: Traits
    ) -> [Trait: String] {
        var sources = base.sources.filter { base.traits.text($0.key) == traits.text($0.key) }
        guard let node else { return sources }
        for (key, pair) in pairs(node, "'sources'") {
            guard let trait = Trait(rawValue: key) else {
                unknown("trait", key, known: Trait.allCases.map(\.rawValue), at: pair.key.place)
                continue
            }
            sources[trait] = text(pair.value)
        }
        return sources
    }
}
