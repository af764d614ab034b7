package import StorageModel

/// What a client says of itself before the first scenario.
package struct ClientHello: Hashable, Sendable {
    /// The protocol version that this code speaks.
    package static let protocolVersion = 1

    package var name: String
    package var version: String
    /// The profile that it was written for.
    package var profile: String
    package var capabilities: Set<Capability>

    package init(
        name: String, version: String, profile: String = "documented",
        capabilities: Set<Capability>
    ) {
        self.name = name
        self.version = version
        self.profile = profile
        self.capabilities = capabilities
    }
}
