/// How long a thread was ready to run and had to wait for a processor.
///
/// Source: the kernel's documentation, `scheduler/sched-stats`, `/proc/PID/schedstat`.
package enum Starvation {
    /// Of the calling thread, since it was started.
    package static var ofThisThread: Duration { read("/proc/thread-self/schedstat") }

    /// Of a process's main thread.
    static func of(_ pid: Int32) -> Duration { read("/proc/\(pid)/schedstat") }

    /// True where a process's main thread runs or waits for a processor.
    ///
    /// Source: proc_pid_stat(5): the state comes after the second field, in brackets, which may hold
    /// anything.
    static func isRunnable(_ pid: Int32) -> Bool {
        let text = ProcessFile.text("/proc/\(pid)/stat")
        guard let bracket = text.lastIndex(of: UInt8(ascii: ")")) else { return false }
        return text[bracket...].dropFirst(2).first == UInt8(ascii: "R")
    }

    /// Zero where the kernel does not tell. A wait is counted only when it is over.
    private static func read(_ path: String) -> Duration {
        let fields = ProcessFile.text(path).split(separator: 0x20)
        guard fields.count > 1 else { return .zero }
        return .nanoseconds(Int64(String(decoding: fields[1], as: UTF8.self)) ?? 0)
    }
}
