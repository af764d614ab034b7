/// Why a line is no message of the protocol.
package struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Lines of the stream, from 1; 0 where the line was read by itself.
    package var line: Int
    /// The member that is wrong, such as `error.code`; nil: the line as a whole.
    package var member: String?
    package var problem: String

    package init(line: Int = 0, member: String? = nil, problem: String) {
        self.line = line
        self.member = member
        self.problem = problem
    }

    package var description: String {
        let place = line > 0 ? "line \(line): " : ""
        return place + (member.map { "'\($0)' \(problem)" } ?? problem)
    }
}
