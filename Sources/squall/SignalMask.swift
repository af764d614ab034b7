import Glibc

/// The signals that ask a command to stop.
enum SignalMask {
    static let stopping = [SIGINT, SIGTERM]

    /// Lets the signals through: a parent may have started us with all of them blocked.
    ///
    /// Threads made later inherit this mask, so it is called before any is made.
    static func open() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in stopping { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
