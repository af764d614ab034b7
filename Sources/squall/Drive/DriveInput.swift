import Glibc

/// Lines of standard input, one after the other, for a thread that may wait.
struct DriveInput {
    private var unread: [UInt8] = []
    private var isAtEnd = false

    /// True where a person types.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The next line without its end; nil at the end of the input, or when `isOver` says so.
    mutating func next(unless isOver: () -> Bool) -> String? {
        while !isOver() {
            if let end = unread.firstIndex(of: 0x0A) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + 1)
                return line
            }
            if isAtEnd {
                defer { unread = [] }
                return unread.isEmpty ? nil : String(decoding: unread, as: UTF8.self)
            }
            read()
        }
        return nil
    }

    /// Waits a moment at most, so that the end of the adapter is noticed.
    private mutating func read() {
        var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, 100) > 0 else { return }
        var block = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &block, block.count)
        if count > 0 {
            unread += block[..<count]
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            isAtEnd = true
        }
    }
}
