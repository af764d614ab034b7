package import StorageModel

/// The block of one profile under `profiles`: exceptions to `expect` (section 9).
package struct ProfileBlock: Hashable, Sendable {
    package var name: String
    package var place: SourcePlace
    /// Why the scenario is left out with this profile; nil: it is not.
    package var skip: String?
    /// What replaces entries of `expect`.
    package var replaced: Expectation
    /// Entries that `null` removes, as paths: `["up", "metadata"]`.
    package var removed: [[String]]

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
        replaced = Expectation()
        removed = []
    }
}
