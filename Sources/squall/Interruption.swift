import ClientDriver
import Glibc

/// The user's wish to stop: the rest of the plan is not run, and the reports are written all the same.
enum Interruption {
    // Written by a signal handler alone, which may do nothing but set it.
    nonisolated(unsafe) private static var flag: sig_atomic_t = 0

    static var hasCome: Bool { flag != 0 }

    /// From now on SIGINT, SIGTERM and a hangup ask for the end; a second one ends the process and
    /// its clients at once.
    static func watch() {
        ChildGroups.prepare()
        for number in SignalMask.stopping + [SIGHUP] { watch(number) }
    }

    private static func watch(_ number: Int32) {
        var before = sigaction()
        sigaction(number, nil, &before)
        // Whoever has the hangup ignored, as `nohup` does, wants to go on.
        if number == SIGHUP, isIgnored(before) { return }
        signal(number) { number in
            if Interruption.flag != 0 {
                ChildGroups.kill()
                signal(number, SIG_DFL)
                raise(number)
            }
            Interruption.flag = 1
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let handler = unsafeBitCast(action.__sigaction_handler, to: UInt.self)
        return handler == 1
    }
}
