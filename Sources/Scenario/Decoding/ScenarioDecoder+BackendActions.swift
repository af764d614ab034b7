import FaultEngine
import StorageModel

extension ScenarioDecoder {
    static let backendActionNames = ["session", "object", "token", "server", "link"]

    /// An action on the backend, by its name.
    func backendAction(_ name: String, _ node: YAMLNode) -> BackendAction? {
        switch name {
        case "session": sessionAction(node).map { .session($0) }
        case "object": objectAction(node).map { .object($0) }
        case "token": tokenAction(node).map { .token($0) }
        case "server": serverAction(node).map { .server($0) }
        default: linkState(node).map { .link($0) }
        }
    }

    private func sessionAction(_ node: YAMLNode) -> SessionAction? {
        guard node.mapping != nil else {
            switch text(node) {
            case nil: return nil
            case "expire": return .expire
            case "cancel": return .cancel
            case let word?:
                unknown(
                    "session action", word, known: ["expire", "cancel", "lock", "lose", "claim"],
                    at: node.place)
                return nil
            }
        }
        let keys = Shape.session.keys
        guard let reader = MappingReader(node, "'session'", keys: keys, self),
            let key = reader.one(of: keys)
        else { return nil }
        switch key {
        case "lock": return reader.read(key, positiveDuration).map { .lock($0) }
        case "lose": return reader.read(key) { size($0, atLeast: 1) }.map { .lose($0) }
        default: return reader.read(key) { size($0) }.map { .claim($0) }
        }
    }

    private func objectAction(_ node: YAMLNode) -> ObjectAction? {
        guard let reader = MappingReader(node, "'object'", keys: Shape.objectChange.keys, self),
            let key = reader.one(of: ["delete", "replace", "touch"]),
            let path = reader.read(key, text)
        else { return nil }
        if key != "replace", reader.has("with") {
            error("'with' goes with 'replace' alone", at: reader.keyPlace("with"))
        }
        switch key {
        case "delete": return .delete(path: path)
        case "touch": return .touch(path: path)
        default:
            return reader.require("with") { content($0) }.map { .replace(path: path, with: $0) }
        }
    }

    private func tokenAction(_ node: YAMLNode) -> TokenAction? {
        MappingReader(node, "'token'", keys: Shape.tokenExpiry.keys, self)?
            .require("expire", tokenName).map { .expire(name: $0) }
    }

    private func serverAction(_ node: YAMLNode) -> ServerAction? {
        let keys = ["restart", "skew", "full"]
        guard let reader = MappingReader(node, "'server'", keys: Shape.server.keys, self),
            let key = reader.one(of: keys)
        else { return nil }
        if key != "restart", reader.has("down") {
            error("'down' goes with 'restart' alone", at: reader.keyPlace("down"))
        }
        switch key {
        case "skew": return reader.read(key, duration).map { .skew($0) }
        case "full": return reader.read(key, boolean).map { .full($0) }
        default:
            guard let word = reader.read(key, text) else { return nil }
            guard ["keep", "forget"].contains(word) else {
                unknown(
                    "kind of restart", word, known: ["keep", "forget"], at: reader.keyPlace(key))
                return nil
            }
            let down = reader.read("down", duration) ?? .zero
            return .restart(keepsSessions: word == "keep", down: down)
        }
    }

    static let linkKeys = Shape.linkState.keys

    private func linkState(_ node: YAMLNode) -> LinkState? {
        MappingReader(node, "'link'", keys: Self.linkKeys, self).flatMap(linkState)
    }

    /// A link's state, whose keys may stand among others.
    func linkState(_ reader: MappingReader) -> LinkState? {
        require(.link, at: reader.place)
        guard let state = reader.require("state", text) else { return nil }
        let how = reader.read("how") { choice($0, "way to refuse", of: RefusalKind.self) }
        let keeps = reader.read("keep", boolean) ?? false
        switch state {
        case "down": return .down(how ?? .refuse, keeps: keeps)
        case "up":
            for key in ["how", "keep"] where reader.has(key) {
                error("'\(key)' goes with 'state: down' alone", at: reader.keyPlace(key))
            }
            return .up
        default:
            unknown(
                "state", state, known: ["up", "down"], at: reader["state"]?.place ?? reader.place)
            return nil
        }
    }
}
