import CEpoll
import Glibc

/// Ends the clients of a run whose own process is killed, which cannot do so itself any more.
///
/// A shell of its own group waits for the end of its input, which comes with the end of this process
/// however it ends, and then kills whatever has the mark of our children in its environment. The kernel's own
/// way, a signal at the parent's death, comes at the end of the thread that started the child, and
/// grandchildren do not get it. `Orphans.end` ends the shell like every other child.
package struct Leash: ~Copyable {
    private static let script = """
        read -r line
        for try in 1 2 3; do
            for file in $(grep -lsaz "^$1" /proc/[0-9]*/environ); do
                pid=${file#/proc/}
                kill -KILL "${pid%/environ}"
            done
        done
        """

    private let end: Int32

    /// Nil where there is no shell, or no room for a pipe: then there is no leash.
    package init?() {
        var ends: [Int32] = [-1, -1]
        guard cepoll_pipe(&ends) == 0 else { return nil }
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        let (error, _) = SpawnedProcess.spawn(
            ChildCommand(["/bin/sh", "-c", Self.script, "sh", SpawnedProcess.markOfAll]),
            [ends[0], nowhere, nowhere])
        close(ends[0])
        if nowhere >= 0 { close(nowhere) }
        guard error == 0 else {
            close(ends[1])
            return nil
        }
        end = ends[1]
    }

    deinit { close(end) }
}
