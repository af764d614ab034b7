package import FaultEngine
package import StorageModel

/// What the file says of the backend (section 3).
package struct ScenarioBackend: Hashable, Sendable {
    /// A change of the link at a time of the scenario's clock.
    package struct LinkChange: Hashable, Sendable {
        package var at: Duration
        package var state: LinkState

        package init(at: Duration, state: LinkState) {
            self.at = at
            self.state = state
        }
    }

    /// Whether hidden resends are told from the client's own requests.
    package enum Resends: String, Hashable, Sendable, CaseIterable {
        case none
        case allowed
    }

    /// What the server is started with.
    package var settings = BackendSettings()
    /// False where the file leaves the bucket out: `squall serve` then takes any.
    package var givesBucket = false
    /// False where the file leaves the tokens out: `squall serve` then takes any.
    package var givesTokens = false
    /// In the order of their times.
    package var link: [LinkChange] = []
    /// Nil: as the client's capability `no-resend` says.
    package var resends: Resends?

    package init() {}
}
