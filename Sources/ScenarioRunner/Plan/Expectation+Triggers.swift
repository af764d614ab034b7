import EventMatching
import FaultEngine
import Scenario

extension Expectation {
    /// Every trigger that names a moment in it.
    var triggers: [Trigger] {
        let times = (tasks.flatMap(\.times) + results.flatMap(\.times)).compactMap(\.value.since)
        let parts = (requests ?? []).flatMap { [$0.value.after, $0.value.before] }
        let tests = exchanges.flatMap { [$0.value.after, $0.value.before] }
        return times + (parts + tests).compactMap { $0 } + outcomes.flatMap(\.triggers)
    }
}
