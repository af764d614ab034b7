import EventLoop

/// Lines for standard output, written together when the loop has done what was to be done: one system
/// call for all that happened in one turn.
final class LoopLines: LoopComponent, @unchecked Sendable {
    // Invariant: confined to the loop.
    private var pending = ""

    func add(_ lines: [String]) {
        for line in lines {
            pending += line
            pending += "\n"
        }
    }

    func flush() {
        guard !pending.isEmpty else { return }
        Terminal.write(pending)
        pending = ""
    }

    func runOnce() -> Int64? {
        flush()
        return nil
    }
}
