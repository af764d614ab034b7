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
    ///   - file: has the lists, and says what its client can do.
    ///   - profile: the client's.
    ///   - found: all that the paths hold.
    ///   - planned: what is run of it.
    ///   - recorded: ids of a finished run and the ids that they have in the suite.
    init(
        _ file: ClientFile, _ profile: Profile, found: [PlannedScenario],
        planned: [PlannedScenario], recorded: [(String, String)] = []
    ) {
        let pinned = file.suite?.value
        let suite = FileRights.regained {
            SuiteIDs.around(
                found, and: [Installation.suite], hasGenerated: file.knownLists.mayNameGenerated
            ) { planned in
                SuiteIDs.Need(onWallClock: profile.rewriting(planned), pinned: pinned)
            }
        }
        let ids = planned.map { ($0.id, $0.suiteID) }
        self.init(file.knownLists, suite: suite, suiteIDs: recorded + ids, today: .today)
        capabilities = file.capabilities?.value
    }

    /// By what the client said that it can do: more than its file knows, where it was not asked.
    func offered(_ hello: ClientHello?) -> BoundLists {
        guard let hello else { return self }
        var lists = self
        lists.capabilities = hello.capabilities
        return lists
    }
}

extension KnownLists {
    /// True where an entry can mean rows of the generated matrix, which then count whether they are run
    /// or not.
    fileprivate var mayNameGenerated: Bool {
        (failing + flaky).contains { entry in
            entry.pattern.text.hasPrefix(GeneratedMatrix.folder)
                || entry.pattern.text.hasPrefix("*")
        }
    }
}
