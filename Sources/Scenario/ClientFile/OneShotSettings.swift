package import StorageModel

/// What `one-shot` says: how a command-line tool's arguments are made and its ends are read.
package struct OneShotSettings: Sendable {
    package var place: SourcePlace

    package init(place: SourcePlace) { self.place = place }
}

extension ScenarioDecoder {
    func oneShot(_ node: YAMLNode) -> OneShotSettings? {
        notYetSupported("clients of the mode 'one-shot'", at: node.place)
        return OneShotSettings(place: node.place)
    }
}
