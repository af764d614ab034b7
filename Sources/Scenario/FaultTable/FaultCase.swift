/// One form of a fault of the catalogue, with what it amounts to at some of its moments.
///
/// The class says what the fault is. What a client then does is no business of this list: that follows
/// from `OutcomeRule`.
package struct FaultCase: Hashable, Sendable {
    package enum Repetition: String, Hashable, Sendable, CaseIterable {
        /// At one request.
        case once
        /// At each request of the kind.
        case each
    }

    /// Its name in the catalogue.
    package let fault: String
    /// The value of `do`, in one line; nil: `commit`, or the backend's setting, says it all.
    package let action: String?
    /// The moments; nil: none is written.
    package let phases: [String?]
    package let kind: FaultClass
    package let cause: FaultCause?
    package let targets: Set<FaultTarget>
    package var repetitions: [Repetition] = Repetition.allCases
    /// The value of `commit`.
    package var commit: String?
    /// Further entries of `backend` and `client`, in one line.
    package var backend: String?
    package var client: String?
    /// Coming once it has the outcome of a fault that comes at each request.
    package var lasts = false
    /// The least that is waited before the next try, where the fault asks for a time.
    package var wait: String?
    /// The requests of the target's kind that there are, where it is not what the outcome says.
    package var tries: String?
    /// True where a client may never meet it: one that does not ask for it.
    package var mayMiss = false
    /// True where the answers contradict each other on how large the object is.
    package var changesTotal = false

    init(
        _ fault: String, _ action: String?, at phases: [String?] = [nil], _ kind: FaultClass,
        _ cause: FaultCause? = nil, on targets: Set<FaultTarget> = FaultTarget.everywhere,
        _ change: (inout FaultCase) -> Void = { _ in }
    ) {
        self.fault = fault
        self.action = action
        self.phases = phases
        self.kind = kind
        self.cause = cause
        self.targets = targets
        change(&self)
    }

    /// Nothing of the request is applied yet.
    static let before: [String?] = ["request-head", "request-body 50%", "before-commit"]
    /// Everything is applied, nothing is said.
    static let after: [String?] = ["after-commit", "response-head"]
    static let inside: [String?] = ["response-body 50%"]
    static let end: [String?] = ["response-end"]
    /// Every moment of an exchange.
    static let every = before + after + inside + end

    /// The class at a moment of a request. A chunk that came whole is kept in whole units, though nobody
    /// carries its request out: what breaks then is the answer alone.
    package func kind(at phase: String?, of target: FaultTarget) -> FaultClass {
        let isWhole = phase == "before-commit" && target == .uploadChunk
        return kind == .broken && isWhole && !lasts ? .lost : kind
    }

    /// True where the fault can come at that moment of that request.
    func fits(_ target: FaultTarget, _ phase: String?) -> Bool {
        guard targets.contains(target), let phase else { return targets.contains(target) }
        if phase == "connect" { return FaultTarget.first.contains(target) }
        if phase.hasPrefix("request-body") { return FaultTarget.withRequestBody.contains(target) }
        if phase.hasPrefix("response-body") { return FaultTarget.withAnswerBody.contains(target) }
        return true
    }

    package static let all: [FaultCase] =
        [connection, request, statuses, handling, session, head, body, content, server].flatMap {
            $0
        }
}
