import ClientDriver
import EventLoop
import StorageModel

/// Remembers what the client said of itself first: each further process of it must say the same, or
/// scenarios would be skipped that others of this run have been judged by.
final class HelloWitness: Sendable {
    private let first: Lock<ClientHello?>

    /// - Parameter hello: what it said before the run, if it was asked.
    init(_ hello: ClientHello?) { first = Lock(hello) }

    /// What was said first; nil where the client has not said anything yet.
    var hello: ClientHello? { first.withLock { $0 } }

    /// What is different in what a process says; nil where nothing is.
    func objection(to hello: ClientHello) -> String? {
        let first = first.withLock { first in
            if first == nil { first = hello }
            return first
        }
        return first.flatMap(hello.difference)
    }
}
