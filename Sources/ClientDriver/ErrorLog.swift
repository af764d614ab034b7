import Glibc

/// A child's error output: the whole of it in the file of the scenario that is running, if it has
/// one, and the tail in memory.
struct ErrorLog {
    /// Bytes kept in memory.
    static let tailLimit = 8192

    private let limit: Int
    private var path: String?
    private var written = 0
    /// Between the answer to `configure` and that to `end`.
    private var isOpen = false
    /// What came in the scenario that is running, or in the last one.
    private var tail: [UInt8] = []
    /// What came since then: the next scenario's, or why there is none.
    private var before: [UInt8] = []

    /// - Parameter limit: bytes written to the file of one scenario.
    init(limit: Int) { self.limit = limit }

    /// The end of what there is to show for the scenario that is running or has just ended, or for
    /// a child that never came so far.
    var recent: [UInt8] { tail.isEmpty && !isOpen ? before : tail }

    /// A new child was started, and has no scenario yet.
    mutating func childBegan() {
        guard !isOpen else { return }
        (tail, before) = ([], [])
    }

    /// A scenario begins; its file, if it is to have one, is appended to.
    mutating func open(_ path: String?) {
        self.path = path
        written = 0
        isOpen = true
        let first = before
        (tail, before) = ([], [])
        first.withUnsafeBytes { append($0) }
    }

    mutating func close() {
        path = nil
        isOpen = false
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard isOpen else { return Self.keep(bytes, in: &before) }
        Self.keep(bytes, in: &tail)
        write(bytes)
    }

    private static func keep(_ bytes: UnsafeRawBufferPointer, in tail: inout [UInt8]) {
        tail.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.suffix(tailLimit)))
        if tail.count > 2 * tailLimit { tail.removeFirst(tail.count - tailLimit) }
    }

    /// Losing a client's own log must not cost a verdict: what cannot be written is left out.
    private mutating func write(_ bytes: UnsafeRawBufferPointer) {
        guard let path, written < limit else { return }
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { return }
        defer { Glibc.close(file) }
        let count = min(bytes.count, limit - written)
        _ = Glibc.write(file, bytes.baseAddress, count)
        written += bytes.count
        guard written >= limit else { return }
        let note = "\n(squall: the rest of the error output was left out)\n"
        _ = Glibc.write(file, note, note.utf8.count)
    }
}
