package import StorageModel

/// One entry of a scenario's `faults`: which exchange, where in its life, and what happens.
package struct FaultRule: Hashable, Sendable {
    /// Position in the list, from 1.
    package var position: Int
    package var name: String?
    /// The rule in the words of the file: `upload.chunk#2 @ request-body 100KiB: disconnect reset`.
    package var text: String
    /// Where the rule is written; nil for one from the command line.
    package var place: SourcePlace?
    package var selector: ExchangeSelector
    package var phase: FaultPhase
    /// What the server keeps of a request's body that this rule cuts; nil: as production does.
    package var commit: CommitAmount?
    /// Carried out in order; may be empty where `commit` stands.
    package var actions: [FaultAction]
    /// How often it may fire, for each `per` of its selector; nil: always.
    package var times: Int?
    /// From 0 to 1; nil: at every exchange that fits.
    package var chance: Double?
    /// True: a scenario in which it never fires is not void.
    package var mayMiss: Bool

    package init(
        position: Int, name: String? = nil, text: String, place: SourcePlace? = nil,
        selector: ExchangeSelector, phase: FaultPhase, commit: CommitAmount? = nil,
        actions: [FaultAction], times: Int?, chance: Double? = nil, mayMiss: Bool = false
    ) {
        self.position = position
        self.name = name
        self.text = text
        self.place = place
        self.selector = selector
        self.phase = phase
        self.commit = commit
        self.actions = actions
        self.times = times
        self.chance = chance
        self.mayMiss = mayMiss
    }

    /// What the journal calls it: its name, or its text.
    package var title: String { name ?? text }

    /// True where the seed decides something: whether it fires, how long it takes, which bytes come.
    package var usesChance: Bool {
        chance != nil
            || actions.contains { action in
                switch action {
                case .delay(.uniform), .delay(.normal), .delay(.logNormal), .corrupt(.random),
                    .corrupt(.insert):
                    true
                case .respond, .delay, .drop, .hold, .stall, .disconnect, .silence, .throttle,
                    .slice, .corrupt, .headers, .json, .length, .framing, .raw, .interim,
                    .expectContinue, .refuse, .range, .hash, .redirect, .tls, .keepAlive, .backend:
                    false
                }
            }
    }

    /// True where only a server that speaks TLS can carry it out.
    package var needsTLS: Bool {
        actions.contains { if case .tls = $0 { true } else { false } }
    }

    /// Why a server that speaks TLS, or one that does not, cannot carry it out; nil: it can.
    package func obstacle(throughTLS: Bool) -> String? {
        if needsTLS, !throughTLS { return "'tls' wants a server that speaks it: add --tls" }
        let answers = actions.contains { if case .respond = $0 { true } else { false } }
        if throughTLS, phase == .connect, answers {
            return "'respond' of a connection comes before the TLS handshake, where no client can "
                + "read an answer: match the request, or use 'tls: fail-handshake'"
        }
        return nil
    }

    /// True where it begins a chain of redirects, which goes on without it.
    var isRedirectChain: Bool {
        actions.contains { action in
            if case .redirect(let redirection) = action, case .times = redirection.destination {
                return true
            }
            return false
        }
    }

    /// The default of `times`: 1 for a single ordinal, else always.
    package static func defaultTimes(for ordinal: OrdinalPattern) -> Int? {
        switch ordinal {
        case .exactly, .last: 1
        case .all, .range, .every: nil
        }
    }
}
