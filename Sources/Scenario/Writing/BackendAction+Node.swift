import FaultEngine
import StorageModel

extension BackendAction {
    /// As the step `backend` takes it.
    var node: YAMLNode { .map([(name, value)]) }

    /// What stands behind the action's name.
    var value: YAMLNode {
        switch self {
        case .session(let action): action.node
        case .object(let action): action.node
        case .token(.expire(let name)): .map([("expire", .text(name))])
        case .server(let action): action.node
        case .link(let state): state.node
        }
    }
}

extension SessionAction {
    fileprivate var node: YAMLNode {
        switch self {
        case .expire: .word("expire")
        case .cancel: .word("cancel")
        case .lock(let time): .map([("lock", .duration(time))])
        case .lose(let bytes): .map([("lose", .size(bytes))])
        case .claim(let bytes): .map([("claim", .size(bytes))])
        }
    }
}

extension ObjectAction {
    fileprivate var node: YAMLNode {
        switch self {
        case .delete(let path): .map([("delete", .text(path))])
        case .replace(let path, let content):
            .map([("replace", .text(path)), ("with", content.node)])
        case .touch(let path): .map([("touch", .text(path))])
        }
    }
}

extension ServerAction {
    fileprivate var node: YAMLNode {
        switch self {
        case .restart(let keeps, let down):
            .map([
                ("restart", .word(keeps ? "keep" : "forget")),
                ("down", down == .zero ? nil : .duration(down)),
            ])
        case .skew(let time): .map([("skew", .duration(time))])
        case .full(let isFull): .map([("full", .flag(isFull))])
        }
    }
}

extension LinkState {
    /// As the language writes it.
    var node: YAMLNode {
        switch self {
        case .up: .map([("state", .word("up"))])
        case .down(let how, let keeps):
            .map([
                ("state", .word("down")), ("how", .word(how.rawValue)),
                ("keep", keeps ? .flag(true) : nil),
            ])
        }
    }
}
