package import CloudStorage
import StorageModel

/// Everything that a program can do to a task.
package enum TaskCall: Hashable, Sendable, CaseIterable {
    case pause
    case resume
    case cancel
    case observe(StorageTaskStatus)
    /// Some observer that was added before.
    case removeOne
    case removeAll(of: StorageTaskStatus)
    case removeEverybody
    case look
    /// Starts the task once more, which must change nothing.
    case begin
    /// Lets the other threads go on.
    case pass

    package static var allCases: [TaskCall] {
        [.pause, .resume, .cancel, .removeOne, .removeEverybody, .look, .begin]
            + StorageTaskStatus.allCases.map { .observe($0) }
            + StorageTaskStatus.allCases.map { .removeAll(of: $0) }
    }

    /// A call by chance.
    ///
    /// - Parameter removesMany: whether the removal of many observers at once is among them.
    static func random(_ random: inout SplitMix64, removesMany: Bool) -> TaskCall {
        let statuses = StorageTaskStatus.allCases
        let status = statuses[Int.random(in: 0..<statuses.count, using: &random)]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<26: return .pause
        case 26..<60: return .resume
        case 60..<62: return .cancel
        case 62..<73: return .observe(status)
        case 73..<80: return .removeOne
        case 80..<90: return .look
        case 90: return .begin
        case 91..<93 where removesMany: return .removeAll(of: status)
        case 93 where removesMany: return .removeEverybody
        default: return .pass
        }
    }
}
