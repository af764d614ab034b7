package import EventMatching
package import StorageModel

/// The block `expect` (section 7). What is left out is not tested, but for the defaults.
package struct Expectation: Hashable, Sendable {
    package var tasks: [TaskExpectation] = []
    package var observers: [ObserverExpectation] = []
    package var results: [ResultExpectation] = []
    package var stored: [StoredExpectation] = []
    /// Every part must hold, each with its place; nil: not tested.
    package var requests: [Placed<RequestsExpectation.Part>]?
    package var exchanges: [Placed<ExchangesTest>] = []
    package var sessions: SessionsExpectation?
    /// How often the client asked for a token.
    package var tokensAsked: Placed<NumberTest>?
    package var resources: ResourcesExpectation?
    /// Nil: none may come.
    package var complaints: Placed<ComplaintsTest>?
    /// Invariants that are switched off.
    package var invariants: Placed<InvariantExceptions>?
    /// True: the completed bytes of an upload are what was sent, which falls where a body broke or was
    /// refused.
    package var countsSentBytes = false
    /// One of these must hold whole, beside all else.
    package var outcomes: [Expectation] = []

    package init() {}
}

package struct ObserverExpectation: Hashable, Sendable {
    package var name: String
    package var place: SourcePlace
    package var events: Placed<[EventPattern]>?
    /// As of a task.
    package var countsMetadata = false

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}

/// Upload sessions at the end.
package struct SessionsExpectation: Hashable, Sendable {
    package var place: SourcePlace
    package var open: NumberTest?
    package var started: NumberTest?
    /// Got at least one body byte.
    package var fed: NumberTest?

    package init(place: SourcePlace) { self.place = place }
}

/// What is left once the scenario has settled.
package struct ResourcesExpectation: Hashable, Sendable {
    package var place: SourcePlace
    package var tasks: NumberTest?
    package var connections: NumberTest?

    package init(place: SourcePlace) { self.place = place }
}
