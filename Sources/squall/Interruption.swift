import Glibc

/// The user's wish to stop: the rest of the plan is not run, and the reports are written all the same.
enum Interruption {
    // Written by a signal handler alone, which may do nothing but set it.
    nonisolated(unsafe) private static var flag: sig_atomic_t = 0

    static var hasCome: Bool { flag != 0 }

    /// From now on SIGINT and SIGTERM ask for the end; a second one ends the process at once.
    static func watch() {
        for number in SignalMask.stopping {
            signal(number) { number in
                Interruption.flag = 1
                signal(number, SIG_DFL)
            }
        }
    }
}
