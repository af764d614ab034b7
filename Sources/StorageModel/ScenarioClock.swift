/// The clock that a scenario runs on: virtual or wall time.
package protocol ScenarioClock: Sendable {
    /// Time since the start of the scenario.
    var now: Duration { get }
}
