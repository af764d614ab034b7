import Glibc

/// The machine refused what a loop needs: a descriptor, memory, a thread.
package struct LoopError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that failed: `epoll_create1`, `eventfd`, `pthread_create`, ...
    package let call: String
    /// The error number, as `EMFILE`.
    package let number: Int32

    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}
