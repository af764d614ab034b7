package import StorageModel

/// What a fault amounts to for whoever sends the request that meets it, whatever client that is.
package enum FaultClass: String, Hashable, Sendable, CaseIterable {
    /// Slower or odder, and right all the same.
    case harmless
    /// Answered with "not now" (408, 423, 429, 5xx); nothing is applied.
    case passing
    /// The exchange breaks; nothing is applied.
    case broken
    /// Applied, and the answer breaks, or is lost, or says "not now".
    case lost
    /// Answered with a refusal for good.
    case refused
    /// A refusal of a session that says that it is still active.
    case unsettled
    /// 404 or 410: of a session it says that it is gone, of anything else that there is no such thing.
    case gone
    /// The token is refused, and the next one would be taken.
    case stale
    /// The server cannot be trusted.
    case untrusted
    /// Bytes, or the checksum told of them, are not those of the content.
    case falsified
    /// An answer of success that lacks what it has to say.
    case senseless
    /// A session claims bytes that were never sent, or stores them.
    case overclaimed
    /// A session's answer does not tell what became of the bytes.
    case untold
    /// A range is answered with something else than what is missing.
    case misfit
    /// The content was replaced meanwhile.
    case replaced
    /// What it amounts to follows from no rule of this table.
    case undecided
}

/// What a failure names as its cause.
package enum FaultCause: Hashable, Sendable {
    case status(Int)
    case transport(TransportFault)
}

extension FaultClass {
    /// The class of an answer in place of the backend's own, by its status alone.
    ///
    /// Source: rule D26; RFC 9110 sections 15.5.9 and 15.6, RFC 4918 section 11.3, RFC 6585 section 4.
    package init(status: Int) {
        switch status {
        case 408, 423, 429, 500...599: self = .passing
        case 404, 410: self = .gone
        default: self = .refused
        }
    }
}

extension FaultClass {
    /// What it means, in half a sentence.
    var sentence: String {
        switch self {
        case .harmless: "slower or odder, and right all the same"
        case .passing: "answered with 'not now', and nothing is applied"
        case .broken: "the exchange breaks, and nothing is applied"
        case .lost: "applied, and the answer breaks, is lost or says 'not now'"
        case .refused: "answered with a refusal for good"
        case .unsettled: "a refusal by a session that says that it is still active"
        case .gone:
            "of a session it says that it is gone, of anything else that there is no such thing"
        case .stale: "the token is refused, and the next one would be taken"
        case .untrusted: "the server cannot be trusted"
        case .falsified: "bytes, or the checksum told of them, are not those of the content"
        case .senseless: "an answer of success that lacks what it has to say"
        case .overclaimed: "a session claims bytes that were never sent, or stores them"
        case .untold: "a session's answer does not tell what became of the bytes"
        case .misfit: "a range is answered with something else than what is missing"
        case .replaced: "the content was replaced meanwhile"
        case .undecided: "what it amounts to follows from no rule"
        }
    }
}
