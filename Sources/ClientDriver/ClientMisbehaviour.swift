import StorageModel

/// How a client broke the protocol: it costs the scenario in which it happened, and no other.
package enum ClientMisbehaviour: Hashable, Sendable, CustomStringConvertible {
    /// No answer to `command` within the limit; `unfinished` is the beginning of a line, if there is one.
    case hang(command: String, limit: Duration, unfinished: String? = nil)
    /// `command` was still not answered when the deadline of the scenario passed.
    case overdue(command: String, deadline: Duration, unfinished: String? = nil)
    /// The process ended by itself, or closed a pipe, while it was needed.
    case exited(code: Int32, command: String?)
    case crashed(signal: Int32, command: String?)
    case closedOutput(command: String?)
    /// A client that is no process of ours is gone; what it did, as a message says it.
    case left(String, command: String?)
    case closedInput(command: String?)
    /// A line that is no message; quoted, shortened to 200 characters.
    case garbage(line: String, problem: String)
    /// A line without an end.
    case lineTooLong(limit: Int)
    /// More messages in one scenario than any scenario needs.
    case flood(messages: Int)
    /// The process could not be started.
    case notStarted(command: String, problem: String)
    /// A further process of the client says something else of itself than the one before.
    case changed(difference: String)
    /// We ended it ourselves before it said hello.
    case stopped

    package var description: String {
        switch self {
        case .hang(let command, let limit, let unfinished):
            "gave no answer to '\(command)' within \(limit.scenarioText)"
                + Self.but(unfinished)
        case .overdue(let command, let deadline, let unfinished):
            "had not answered '\(command)' when the scenario's deadline of "
                + "\(deadline.scenarioText) passed" + Self.but(unfinished)
        case .exited(let code, let command):
            "exited with code \(code)\(Self.during(command))"
        case .crashed(let signal, let command):
            "was killed by signal \(signal)\(Self.during(command))"
        case .closedOutput(let command):
            "closed its standard output\(Self.during(command))"
        case .left(let how, let command): how + (command.map { Self.during($0) } ?? "")
        case .closedInput(let command):
            "closed its standard input\(Self.during(command))"
        case .garbage(let line, let problem):
            "wrote a line that is no message (\(problem)): \(line)"
        case .lineTooLong(let limit):
            "wrote more than \(limit) bytes without an end of line"
        case .flood(let messages):
            "sent more than \(messages) messages in one scenario"
        case .notStarted(let command, let problem):
            "could not be started: \(command): \(problem)"
        case .changed(let difference):
            "says something else of itself than before: \(difference)"
        case .stopped: "was stopped before it said hello"
        }
    }

    private static func but(_ unfinished: String?) -> String {
        unfinished.map { ", but sent a line without its end: \($0)" } ?? ""
    }

    private static func during(_ command: String?) -> String {
        command.map { " before it answered '\($0)'" } ?? " while nothing was asked of it"
    }
}
