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

    /// What is different from what another process of the same client said; nil where nothing is.
    package func difference(from first: ClientHello) -> String? {
        guard self != first else { return nil }
        var parts: [String] = []
        for (what, old, new) in [
            ("name", first.name, name), ("version", first.version, version),
            ("profile", first.profile, profile),
        ] where old != new {
            parts.append("its \(what) was '\(old)' and is '\(new)'")
        }
        let lost = first.capabilities.subtracting(capabilities).sorted().map(\.rawValue)
        let won = capabilities.subtracting(first.capabilities).sorted().map(\.rawValue)
        if !lost.isEmpty { parts.append("it no longer offers \(lost.joined(separator: ", "))") }
        if !won.isEmpty { parts.append("it newly offers \(won.joined(separator: ", "))") }
        return parts.joined(separator: ", ")
    }
}
