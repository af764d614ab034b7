import Scenario
import StorageModel

/// Errors of the client behind, as a client of other habits tells them.
struct HabitErrors {
    /// Added to a status that must not be tried again, for the client behind.
    static let finalStatus = 600

    private let traits: Traits
    private let wire: HabitWire

    init(_ traits: Traits, _ wire: HabitWire) {
        self.traits = traits
        self.wire = wire
    }

    func told(_ error: ClientError, _ subject: ErrorNames.Subject) -> ClientError {
        var error = error
        if let status = error.status, status >= Self.finalStatus + 300 {
            error.status = status - Self.finalStatus
        }
        if error.transport == .tls, let fault = wire.hiddenBreak { error.transport = fault }
        if error.code == .retryLimitExceeded, traits.exhausted == .lastError {
            error.code = .unknown
        }
        // Where one of several comes, it is the last.
        error.code = traits.errorNames.codes(for: error.code, of: subject).last ?? error.code
        error.name = error.code.rawValue
        return error
    }
}
