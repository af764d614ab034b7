internal import StorageModel

/// Where the service is: scheme, host and port.
struct StorageEndpoint: Hashable, Sendable {
    var scheme = "https"
    var host = "firebasestorage.googleapis.com"
    /// Nil: the scheme's own.
    var port: Int?

    init() {}

    /// A server on this machine, or one to test against: plain HTTP.
    init(emulatorHost host: String, port: Int) {
        scheme = "http"
        self.host = host
        self.port = port
    }

    /// Reads scheme, host and port of an absolute URL; nil for anything else.
    init?(url: String) {
        guard let mark = url.range(of: "://") else { return nil }
        scheme = url[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") {
            authority = authority[authority.index(after: at)...]
        }
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = String(authority[...end])
            authority = authority[authority.index(after: end)...]
        } else {
            host = String(authority.prefix { $0 != ":" })
            authority = authority.dropFirst(host.count)
        }
        guard !host.isEmpty else { return nil }
        if authority.first == ":" {
            guard let port = Int(authority.dropFirst()), (1...65_535).contains(port) else {
                return nil
            }
            self.port = port
        } else if !authority.isEmpty {
            return nil
        }
    }

    /// Why nothing can be asked here.
    var problem: StorageFailure? {
        let isHostGood =
            !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
        if isHostGood, port.map({ (1...65_535).contains($0) }) ?? true { return nil }
        return StorageFailure(
            .invalidArgument,
            "\"\(host)\" and \(port ?? 0) are no host and port: "
                + "useEmulator(withHost:port:) wants a host name and a port from 1 to 65535.")
    }

    /// `https://HOST:PORT`, without a slash behind.
    var text: String {
        let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
        let name = isBareIPv6 ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (port.map { ":\($0)" } ?? "")
    }

    private var effectivePort: Int { port ?? (scheme == "https" ? 443 : 80) }

    var isLoopback: Bool {
        let name = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(name) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// True when credentials may be sent there: never in the clear beyond this machine.
    ///
    /// Source: firebase-ios-sdk, `FirebaseStorage/Sources/Internal/StorageTokenAuthorizer.swift`.
    var mayCarryToken: Bool { scheme == "https" || isLoopback }

    /// Why a request with these credentials is not sent. The Apple SDK sends it without them, and the
    /// program learns nothing but that it is not signed in.
    func problem(carrying held: StorageCredentials.Held) -> StorageFailure? {
        guard held.isSecret, !mayCarryToken else { return nil }
        return StorageFailure(
            .invalidArgument,
            "The credentials are not sent to \(text) in the clear, where others can read them on the "
                + "way: use HTTPS or a server on this machine, or set no provider for them.")
    }

    /// True when `other` is the same server: a token may follow there.
    func isSameServer(as other: StorageEndpoint) -> Bool {
        guard scheme == other.scheme, effectivePort == other.effectivePort else { return false }
        return host.lowercased() == other.host.lowercased() || (isLoopback && other.isLoopback)
    }
}

extension String {
    /// The first place of a text.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
