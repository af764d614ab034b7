import Glibc

/// The files in which the kernel tells about processes.
enum ProcessFile {
    /// The whole of a file; empty where it is gone, or not ours to look at.
    static func text(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &block, block.count)
            guard count > 0 else { return text }
            text += block[..<count]
        }
    }
    /// The processes that there are.
    static func pids() -> [pid_t] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var pids: [pid_t] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let pid = pid_t(name) { pids.append(pid) }
        }
        return pids
    }
}
