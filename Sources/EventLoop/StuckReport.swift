/// Nobody has anything to do, and nothing is left that could change that.
package struct StuckReport: Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// No work, no bytes under way, no stage with anything to do, and no timer.
        case nothingLeft
        /// The next thing that could happen lies beyond the deadline.
        case deadline
        /// The kernel keeps bytes that should have arrived long ago: the machine's fault, or ours.
        case undelivered([String])
    }

    package let reason: Reason
    /// The time at which it was noticed, on the virtual clock.
    package let time: Duration
    /// Who waits for what: the lines of every describer, in the order of their names.
    package let waits: [String]

    package init(reason: Reason, time: Duration, waits: [String]) {
        self.reason = reason
        self.time = time
        self.waits = waits
    }

    package var description: String {
        let first =
            switch reason {
            case .nothingLeft: "nothing can happen any more"
            case .deadline: "nothing more can happen before the deadline"
            case .undelivered(let connections):
                "bytes do not arrive: \(connections.joined(separator: "; "))"
            }
        return ([first] + waits).joined(separator: "\n  ")
    }
}
