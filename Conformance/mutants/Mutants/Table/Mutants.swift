/// Wrong clients made from the reference client, one mistake each.
package enum Mutants {
    /// Made by hand, from what people reported of real clients and from the client's state table.
    package static let byHand: [Mutant] =
        life + lateCalls + answers + waits + requests + headers + heads + reports

    /// The mutant of that name, of all that are made by hand.
    package static func named(_ name: String) -> Mutant? { byHand.first { $0.name == name } }
}
