/// How the control API is run.
package struct ControlOptions: Sendable {
    /// Who does not know it is refused; nil: everybody on this machine may use the API.
    package var token: String?
    /// What it calls itself: `squall 1.2.0`.
    package var tool = "squall"
    /// Bytes of a body with text: faults, actions, objects by their description.
    package var textSize: Int64 = 1 << 20
    /// Bytes of an object that is put.
    package var objectSize: Int64 = 1 << 30
    /// How long a client may take between two parts of its body.
    package var patience = Duration.seconds(30)
    /// Connections at once.
    package var connections = 128
    /// Bytes that wait for a slow reader of the journal.
    package var streamSize = 256 << 10
    /// Records that wait for a slow reader of the journal; more are missed, and counted.
    package var streamRecords = 10_000
    /// Snapshots at once.
    package var snapshots = 100

    package init() {}
}
