import ClientDriver
import Glibc
import Synchronization

/// The user's wish to stop: the rest of the plan is not run, and the reports are written all the same.
enum Interruption {
    /// When the first signal came: nanoseconds of the monotonic clock; 0: none has. Written by a
    /// signal handler, on whichever thread it finds itself, and read by all.
    private static let firstSignal = Atomic<Int64>(0)

    /// Signals this close together, in nanoseconds, are one wish: `timeout` sends its own to the
    /// process and then to its group.
    private static let oneWish: Int64 = 1_000_000_000

    static var hasCome: Bool { firstSignal.load(ordering: .acquiring) != 0 }

    /// From now on SIGINT, SIGTERM and a hangup ask for the end; another one a second later or more
    /// ends the process and its clients at once.
    static func watch() {
        ChildGroups.prepare()
        // What the handler touches must be there before it is called.
        _ = (hasCome, oneWish)
        for number in SignalMask.stopping + [SIGHUP] { watch(number) }
    }

    private static func watch(_ number: Int32) {
        var before = sigaction()
        sigaction(number, nil, &before)
        // Whoever has the hangup ignored, as `nohup` does, wants to go on.
        if number == SIGHUP, isIgnored(before) { return }
        signal(number) { number in
            let now = Interruption.now
            let (isFirst, first) = Interruption.firstSignal.compareExchange(
                expected: 0, desired: now, ordering: .acquiringAndReleasing)
            if !isFirst, now - first >= Interruption.oneWish {
                ChildGroups.kill()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// May be called in a signal handler.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let handler = unsafeBitCast(action.__sigaction_handler, to: UInt.self)
        return handler == 1
    }
}
