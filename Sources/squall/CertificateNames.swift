import Glibc

/// What a client may call this machine.
enum CertificateNames {
    /// - Parameter host: the address that the server listens on.
    static func all(for host: String) -> [String] {
        // 10.0.2.2 is this machine as apps in the Android emulator see it.
        var names = ["localhost", "127.0.0.1", "::1", "10.0.2.2"]
        let isOpen = host == "0.0.0.0" || host == "::"
        for name in isOpen ? ownNames : [host] where !names.contains(name) { names.append(name) }
        return names
    }

    private static var ownNames: [String] {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
        let name = bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
        return [name ?? ""].filter { !$0.isEmpty }
    }
}
