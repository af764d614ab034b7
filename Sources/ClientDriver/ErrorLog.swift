import Glibc

/// Appends a child's error output to the file of the scenario that is running.
struct ErrorLog {
    private let limit: Int
    private var path: String?
    private var written = 0

    /// - Parameter limit: bytes kept for one scenario.
    init(limit: Int) { self.limit = limit }

    /// From now on to this file; nil: to none.
    mutating func open(_ path: String?) {
        self.path = path
        written = 0
    }

    /// Losing a client's own log must not cost a verdict: what cannot be written is left out.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let path, written < limit else { return }
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { return }
        defer { close(file) }
        let count = min(bytes.count, limit - written)
        _ = write(file, bytes.baseAddress, count)
        written += bytes.count
        guard written >= limit else { return }
        let note = "\n(squall: the rest of the error output was left out)\n"
        _ = write(file, note, note.utf8.count)
    }
}
