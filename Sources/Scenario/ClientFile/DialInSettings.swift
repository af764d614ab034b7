package import StorageModel

/// What `dial-in` says: where a client that asks for its commands over HTTP finds them.
package struct DialInSettings: Sendable {
    package var place: SourcePlace
    /// A numeric address; nil: 127.0.0.1.
    package var host: Placed<String>?
    /// 0: any free one; nil: 9300, or any free one where `open` knows it.
    package var port: UInt16?
    /// Program and arguments that open the client; `{url}` in them is where to dial in.
    package var open: [String]?
    /// A folder with an `index.html`; nil: the page that comes with Squall.
    package var page: Placed<String>?
    /// A folder with scripts that the page loads, at `/modules/`.
    package var modules: Placed<String>?
    /// How long a client has to dial in.
    package var wait: Duration?

    package init(place: SourcePlace) { self.place = place }
}

extension DialInSettings {
    /// Where nothing else is said and somebody opens the page.
    package static let usualPort: UInt16 = 9300
    /// The range of `wait`.
    package static let waits = Duration.seconds(1)...Duration.seconds(3600)
}

extension ScenarioDecoder {
    private static let dialInKeys = ["host", "port", "open", "page", "modules", "wait"]

    func dialIn(_ node: YAMLNode) -> DialInSettings? {
        guard let reader = MappingReader(node, "'dial-in'", keys: Self.dialInKeys, self) else {
            return nil
        }
        var settings = DialInSettings(place: node.place)
        settings.host = reader.read("host", loopback)
        settings.port = reader.read("port") { integer($0, in: 0...65535).map(UInt16.init) }
        settings.open = reader.read("open", commandWords)
        settings.page = reader.read("page", folderName)
        settings.modules = reader.read("modules", folderName)
        settings.wait = reader.read("wait") { node in
            guard let wait = duration(node) else { return nil }
            guard DialInSettings.waits.contains(wait) else {
                error("a client is waited for from 1s to 1h", at: node.place)
                return nil
            }
            return wait
        }
        return settings
    }

    private func loopback(_ node: YAMLNode) -> Placed<String>? {
        guard let host = text(node) else { return nil }
        guard host == "localhost" || host == "::1" || host.hasPrefix("127.") else {
            error(
                "the backend of a run listens on this machine alone, so the client is here too: "
                    + "127.0.0.1 or ::1, not '\(host)'",
                at: node.place)
            return nil
        }
        return Placed(host, node.place)
    }

    private func folderName(_ node: YAMLNode) -> Placed<String>? {
        guard let path = text(node) else { return nil }
        guard !path.isEmpty else {
            error("a folder is named here", at: node.place)
            return nil
        }
        return Placed(path, node.place)
    }
}
