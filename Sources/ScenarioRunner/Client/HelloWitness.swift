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
        guard let first, first != hello else { return nil }
        return Self.difference(first, hello)
    }

    private static func difference(_ first: ClientHello, _ hello: ClientHello) -> String {
        var parts: [String] = []
        for (what, old, new) in [
            ("name", first.name, hello.name), ("version", first.version, hello.version),
            ("profile", first.profile, hello.profile),
        ] where old != new {
            parts.append("its \(what) was '\(old)' and is '\(new)'")
        }
        let lost = first.capabilities.subtracting(hello.capabilities).sorted().map(\.rawValue)
        let won = hello.capabilities.subtracting(first.capabilities).sorted().map(\.rawValue)
        if !lost.isEmpty { parts.append("it no longer offers \(lost.joined(separator: ", "))") }
        if !won.isEmpty { parts.append("it newly offers \(won.joined(separator: ", "))") }
        return parts.joined(separator: ", ")
    }
}
