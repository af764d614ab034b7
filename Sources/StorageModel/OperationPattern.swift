/// One operation, or a group of operations: `upload.chunk`, `upload.body`, `upload.*`, `*`.
package enum OperationPattern: Hashable, Sendable, CustomStringConvertible {
    case one(Operation)
    /// Any request that carries object bytes.
    case uploadBody
    /// All operations whose name begins with the prefix (which ends in a dot).
    case prefix(String)
    /// Every exchange; `connect` is none.
    case everything

    /// The pattern for a name of the scenario language, or nil when there is no such operation.
    package init?(_ text: String) {
        switch text {
        case "*": self = .everything
        case "upload.body": self = .uploadBody
        case "upload.*", "metadata.*", "token.*": self = .prefix(String(text.dropLast()))
        default:
            guard let operation = Operation(rawValue: text), operation != .unknown else {
                return nil
            }
            self = .one(operation)
        }
    }

    /// Every name that `init(_:)` takes: for messages that suggest one.
    package static let allNames: [String] =
        Operation.allCases.filter { $0 != .unknown }.map(\.rawValue)
        + ["upload.body", "upload.*", "metadata.*", "token.*", "*"]

    package func matches(_ operation: Operation) -> Bool {
        switch self {
        case .one(let wanted): operation == wanted
        case .uploadBody: operation.carriesObjectBytes
        case .prefix(let prefix): operation.rawValue.hasPrefix(prefix)
        case .everything: operation != .connect
        }
    }

    package var description: String {
        switch self {
        case .one(let operation): operation.rawValue
        case .uploadBody: "upload.body"
        case .prefix(let prefix): prefix + "*"
        case .everything: "*"
        }
    }
}
