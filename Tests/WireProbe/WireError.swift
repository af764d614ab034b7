import Glibc

/// Why a probe could not go on.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody listens on the port.
    case refused
    /// The deadline passed; the text says what was waited for.
    case deadline(String)
    /// The connection ended before what was asked for had come.
    case ended(WireEnding, String)
    case malformed(String)
    case system(String)

    package var description: String {
        switch self {
        case .refused: "the port takes no connections"
        case .deadline(let what): "nothing came before the deadline while waiting for \(what)"
        case .ended(let ending, let what): "\(ending) while waiting for \(what)"
        case .malformed(let what): "not what HTTP looks like: \(what)"
        case .system(let call): "\(call): \(String(cString: strerror(errno)))"
        }
    }
}

/// How the peer's sending side stands.
package enum WireEnding: Hashable, Sendable {
    /// FIN: closed in order.
    case closed
    /// RST.
    case reset
    /// Nothing, and no end, until the deadline.
    case silence
}
