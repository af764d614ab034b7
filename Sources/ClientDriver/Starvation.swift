/// How long a thread was ready to run and had to wait for a processor.
///
/// Source: the kernel's documentation, `scheduler/sched-stats`, `/proc/PID/schedstat`.
package enum Starvation {
    /// Of the calling thread, since it was started.
    package static var ofThisThread: Duration { read("/proc/thread-self/schedstat") }

    /// Of a process's main thread.
    static func of(_ pid: Int32) -> Duration { read("/proc/\(pid)/schedstat") }

    /// Zero where the kernel does not tell.
    private static func read(_ path: String) -> Duration {
        let fields = ProcessFile.text(path).split(separator: 0x20)
        guard fields.count > 1 else { return .zero }
        return .nanoseconds(Int64(String(decoding: fields[1], as: UTF8.self)) ?? 0)
    }
}
