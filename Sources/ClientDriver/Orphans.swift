import CEpoll
import Glibc

/// What is left of clients whose processes have ended: what they started in sessions of its own, also
/// with an environment in which nothing tells where it comes from.
package enum Orphans {
    /// From now on they become children of this process.
    ///
    /// Source: prctl(2), PR_SET_CHILD_SUBREAPER.
    package static func adopt() { _ = cepoll_adopt_orphans() }

    /// Ends every child of this process. Only where none is wanted any more.
    package static func end() {
        // Each that ends may leave us others.
        for _ in 0..<100 {
            let children = children()
            if children.isEmpty { return }
            for pid in children { kill(pid, SIGKILL) }
            for pid in children { while waitpid(pid, nil, 0) < 0, errno == EINTR {} }
        }
    }

    private static func children() -> [pid_t] {
        let own = getpid()
        return ProcessFile.pids().filter { parent(of: $0) == own }
    }

    /// Source: proc_pid_stat(5): the fourth field; the second, in brackets, may hold anything.
    private static func parent(of pid: pid_t) -> pid_t? {
        let text = ProcessFile.text("/proc/\(pid)/stat")
        guard let bracket = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: 0x20)
        guard fields.count > 1 else { return nil }
        return pid_t(String(decoding: fields[1], as: UTF8.self))
    }
}
