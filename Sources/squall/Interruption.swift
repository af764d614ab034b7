import ClientDriver
import Glibc

/// The user's wish to stop: the rest of the plan is not run, and the reports are written all the same.
enum Interruption {
    // Both are written by a signal handler alone, which may do nothing but set them.
    nonisolated(unsafe) private static var flag: sig_atomic_t = 0
    /// When the first signal came: seconds of the monotonic clock.
    nonisolated(unsafe) private static var moment = 0.0

    /// Signals this close together, in seconds, are one wish: `timeout` sends its own to the process
    /// and then to its group.
    private static let oneWish = 1.0

    static var hasCome: Bool { flag != 0 }

    /// From now on SIGINT, SIGTERM and a hangup ask for the end; another one a second later or more
    /// ends the process and its clients at once.
    static func watch() {
        ChildGroups.prepare()
        moment = 0
        for number in SignalMask.stopping + [SIGHUP] { watch(number) }
    }

    private static func watch(_ number: Int32) {
        var before = sigaction()
        sigaction(number, nil, &before)
        // Whoever has the hangup ignored, as `nohup` does, wants to go on.
        if number == SIGHUP, isIgnored(before) { return }
        signal(number) { number in
            let now = Interruption.now
            if Interruption.flag == 0 {
                Interruption.moment = now
                Interruption.flag = 1
            } else if now - Interruption.moment >= Interruption.oneWish {
                ChildGroups.kill()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// May be called in a signal handler.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let handler = unsafeBitCast(action.__sigaction_handler, to: UInt.self)
        return handler == 1
    }
}
