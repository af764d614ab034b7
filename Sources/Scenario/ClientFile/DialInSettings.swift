package import StorageModel

/// What `dial-in` says: where a client that asks for its commands over HTTP finds them.
package struct DialInSettings: Sendable {
    package var place: SourcePlace

    package init(place: SourcePlace) { self.place = place }
}

extension ScenarioDecoder {
    func dialIn(_ node: YAMLNode) -> DialInSettings? {
        notYetSupported("clients of the mode 'dial-in'", at: node.place)
        return DialInSettings(place: node.place)
    }
}
