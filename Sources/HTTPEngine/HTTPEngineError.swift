/// Why the engine cannot listen.
package enum HTTPEngineError: Error, Hashable, CustomStringConvertible {
    /// Another socket listens there.
    case addressInUse(host: String, port: UInt16)
    /// The host is no numeric IPv4 or IPv6 address (and not `localhost`).
    case badHost(String)
    /// The kernel refuses; `code` is the value of `errno`.
    case cannotListen(host: String, port: UInt16, code: Int32)
    /// libmicrohttpd does not start.
    case noDaemon

    package var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "port \(port) on \(host) is in use: choose another port, or 0 for any free one"
        case .badHost(let host):
            "'\(host)' is not an address to listen on: give 127.0.0.1, ::1 or another IP address"
        case .cannotListen(let host, let port, let code):
            "cannot listen on \(host) port \(port) (errno \(code))"
        case .noDaemon: "libmicrohttpd does not start"
        }
    }
}
