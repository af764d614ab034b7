import ClientDriver
import Glibc
import Scenario
import ScenarioRunner

extension CalendarDay {
    /// In UTC, so that a list expires everywhere at once.
    static var today: CalendarDay {
        CalendarDay(secondsSince1970: max(0, Int64(time(nil))))
    }
}

extension BoundLists {
    /// Binds a client's lists to all suites that the command line reaches into, whatever part of them
    /// is run, and to the installed one.
    ///
    /// - Parameters:
    ///   - found: all that the paths hold.
    ///   - planned: what is run of it.
    ///   - recorded: ids of a finished run and the ids that they have in the suite.
    init(
        _ lists: KnownLists, found: [PlannedScenario], planned: [PlannedScenario],
        recorded: [(String, String)] = []
    ) {
        let suite = FileRights.regained { SuiteIDs.around(found, and: [Installation.suite]) }
        let ids = planned.map { ($0.id, $0.suiteID) }
        self.init(lists, suite: suite, suiteIDs: recorded + ids, today: .today)
    }
}
