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
}
