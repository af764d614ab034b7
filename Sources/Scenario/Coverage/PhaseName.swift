package import FaultEngine

/// A moment in the life of an exchange, whatever byte or time is meant.
package enum PhaseName: String, Hashable, Sendable, CaseIterable {
    case connect
    case requestHead = "request-head"
    case requestBody = "request-body"
    case beforeCommit = "before-commit"
    case afterCommit = "after-commit"
    case responseHead = "response-head"
    case responseBody = "response-body"
    case responseEnd = "response-end"
    case idle
    case elapsed
    case unread

    package init(_ phase: FaultPhase) {
        self =
            switch phase {
            case .connect: .connect
            case .requestHead: .requestHead
            case .requestBody: .requestBody
            case .beforeCommit: .beforeCommit
            case .afterCommit: .afterCommit
            case .responseHead: .responseHead
            case .responseBody: .responseBody
            case .responseEnd: .responseEnd
            case .idle: .idle
            case .elapsed: .elapsed
            case .unread: .unread
            }
    }
}
