import StorageModel

/// The name by which a client has found the port.
///
/// A page of another site whose name was made to lead to this machine cannot choose `Host`: it is that
/// site's. On an address that is not loopback every name may be this machine's.
struct DialInHost {
    let host: String
    let port: UInt16

    func isOwn(_ head: HTTPRequestHead) -> Bool {
        let given = head.headers.values(of: "Host")
        guard given.count == 1 else { return false }
        guard isLoopback else { return true }
        let name = given[0].lowercased()
        return names.contains { name == "\($0):\(port)" || port == 80 && name == $0 }
    }

    private var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private var names: [String] {
        // The last is this machine's loopback address, seen from an emulated Android device.
        ["localhost", "127.0.0.1", "[::1]", host.contains(":") ? "[\(host)]" : host, "10.0.2.2"]
    }
}
