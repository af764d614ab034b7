import ClientDriver
import RunModel

/// What came of running a scenario once or several times, one after the other with one client.
struct Turn: Sendable {
    var result: ScenarioResult
    /// What the client did wrong before it had answered anything of this scenario: that is held
    /// against the one that it served before.
    var before: [ClientMisbehaviour] = []
    /// The client was given the scenario: what it does from now on is held against that.
    var isServed = false

    /// The same scenario was run again, and that run is the one that counts.
    ///
    /// What was done between the two is held against the scenario, if the client was given it the
    /// first time.
    mutating func repeated(_ next: Turn) {
        let (first, wasServed) = (before, isServed)
        self = next
        if wasServed { result.blame(next.before) }
        before = wasServed ? first : first + next.before
        isServed = wasServed || next.isServed
    }

    /// The scenario passed and was run again: that run counts, unless the client did something wrong
    /// in between.
    mutating func confirmed(_ next: Turn) {
        if next.before.isEmpty { repeated(next) } else { result.blame(next.before) }
    }
}
