import EventMatching
import Scenario
import StorageModel

/// What a server alone can judge of `expect`, and the names of the rest.
struct ServedExpectation {
    /// Without what only a client can tell.
    let seen: Expectation
    /// `up (events, error)`, in the order of the file.
    let unseen: [String]

    init(_ expect: Expectation) {
        seen = Self.seen(expect)
        var unseen: [String] = []
        for name in Self.unseen(expect) where !unseen.contains(name) { unseen.append(name) }
        self.unseen = unseen
    }

    private static func seen(_ expect: Expectation) -> Expectation {
        var seen = Expectation()
        seen.stored = expect.stored
        seen.requests = expect.requests
        seen.exchanges = expect.exchanges
        seen.sessions = expect.sessions
        seen.complaints = expect.complaints
        seen.invariants = expect.invariants
        seen.outcomes = expect.outcomes.map(self.seen)
        return seen
    }

    private static func unseen(_ expect: Expectation) -> [String] {
        var names = expect.tasks.compactMap { named($0.name, parts(of: $0)) }
        names += expect.observers.compactMap { $0.events == nil ? nil : "\($0.name) (events)" }
        names += expect.results.map { "\($0.name) (result)" }
        if expect.tokensAsked != nil { names.append("tokens asked for") }
        if expect.resources != nil { names.append("resources") }
        return names + expect.outcomes.flatMap(unseen)
    }

    private static func named(_ name: String, _ parts: [String]) -> String? {
        parts.isEmpty ? nil : "\(name) (\(parts.joined(separator: ", ")))"
    }

    private static func parts(of task: TaskExpectation) -> [String] {
        var parts: [String] = []
        if task.events != nil { parts.append("events") }
        if task.error != nil { parts.append("error") }
        if task.progress != nil { parts.append("progress") }
        if task.metadata != nil { parts.append("metadata of the snapshot") }
        if !task.times.isEmpty { parts.append("times") }
        if task.local != nil { parts.append("local file") }
        if task.completion != nil { parts.append("completion") }
        if task.ends != nil { parts.append("ends") }
        return parts
    }
}
