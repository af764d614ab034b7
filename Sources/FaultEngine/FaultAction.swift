package import StorageModel

/// What a fault does; every action of the language.
package enum FaultAction: Hashable, Sendable {
    /// Answers instead of the backend.
    case respond(ForcedResponse)
    case delay(DelayTime)
    case drop(Dropped)
    /// The exchange stands still until the trigger happened, at most so long.
    case hold(until: Trigger, atMost: Duration?)
    /// The exchange stands still; nil: for ever.
    case stall(Duration?)
    case disconnect(DisconnectManner)
    /// Nothing more is read or sent, and the peer is not told.
    case silence
    /// Bytes per second from this point on.
    case throttle(rate: Int64)
    /// Pieces of so many bytes with a gap before each but the first.
    case slice(size: Int64, gap: Duration)
    case corrupt(Corruption)
    case headers(HeaderEdit)
    case json(JSONEdit)
    /// The Content-Length that is declared.
    case length(DeclaredLength)
    case framing(FramingFault)
    /// These bytes instead of head and body.
    case raw([UInt8])
    /// Interim answers before the answer.
    case interim([InterimResponse])
    case expectContinue(ContinueFault)
    /// From now on the port takes no connection for so long.
    case refuse(for: Duration, RefusalKind)
    case range(RangeFault)
    case hash(HashFault)
    case redirect(Redirection)
    case tls(TLSFault)
    case keepAlive(KeepAliveFault)
    /// Something happens to the backend: `session`, `object`, `token`, `server`.
    case backend(BackendAction)
}

package enum Dropped: String, Hashable, Sendable, CaseIterable {
    /// The body is read to its end, nothing of it is kept, the connection closes unanswered.
    case chunk
    /// Everything is applied and the answer is lost.
    case answer
}

package enum DisconnectManner: String, Hashable, Sendable, CaseIterable {
    /// FIN.
    case close
    /// RST.
    case reset
    /// FIN, and reading goes on.
    case half
}

package enum RefusalKind: String, Hashable, Sendable, CaseIterable {
    case refuse
    case blackhole
}

/// How long a `delay` takes.
package enum DelayTime: Hashable, Sendable {
    case fixed(Duration)
    case uniform(Duration, Duration)
    case normal(mean: Duration, deviation: Duration)
    case logNormal(median: Duration, sigma: Double, maximum: Duration)
    /// One entry for each exchange that the fault is for, in the order of their heads and apart for each
    /// `per`; the last repeats.
    case list([Duration])
}

/// Bytes falsified from an offset on; the number says how many.
package enum Corruption: Hashable, Sendable {
    case flip(Int64)
    case zero(Int64)
    case random(Int64)
    case drop(Int64)
    case duplicate(Int64)
    case insert(Int64)
}

package enum DeclaredLength: Hashable, Sendable {
    case exactly(Int64)
    /// More or, with a minus, less than the body has.
    case off(by: Int64)
    /// No Content-Length at all: the body ends with its last chunk.
    case none
}

package enum FramingFault: String, Hashable, Sendable, CaseIterable {
    case badChunkSize = "bad-chunk-size"
    case missingLastChunk = "missing-last-chunk"
    case bytesAfterLast = "bytes-after-last"
    case lostChunk = "lost-chunk"
    case doubledChunk = "doubled-chunk"
    case withTrailer = "with-trailer"
}

package struct InterimResponse: Hashable, Sendable {
    /// From 100 to 199.
    package var status: Int
    package var headers: HTTPHeaders

    package init(status: Int, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }
}

package enum ContinueFault: Hashable, Sendable {
    case withhold
    case refuse
    case delay(Duration)
    case twice
}

/// What a ranged download gets.
package enum RangeFault: Hashable, Sendable {
    case ignore
    case refuse
    /// So many bytes further on; may be negative.
    case shift(by: Int64)
    case longer(by: Int64)
}

package enum HashFault: String, Hashable, Sendable, CaseIterable {
    case wrong
    case missing
}

/// Sends the client to another URL.
package struct Redirection: Hashable, Sendable {
    package enum Destination: Hashable, Sendable {
        /// A URL, or a target on the same server.
        case target(String)
        /// The URL that the request came to.
        case toItself
        /// A chain of so many redirects, 1 or more, at whose end the real answer is given.
        case times(Int)
    }

    package var destination: Destination
    /// 301, 302, 303, 307 or 308; with 307 and 308 a client repeats method and body.
    /// Source: RFC 9110 section 15.4.
    package var status = 307

    package init(_ destination: Destination, status: Int = 307) {
        self.destination = destination
        self.status = status
    }

    package static let statuses = [301, 302, 303, 307, 308]
    package static let toItself = Redirection(.toItself)

    package static func target(_ url: String) -> Redirection { Redirection(.target(url)) }

    package static func times(_ count: Int) -> Redirection { Redirection(.times(count)) }
}

/// What is wrong with a connection's TLS.
package enum TLSFault: Hashable, Sendable {
    /// The server refuses the handshake.
    case failHandshake
    /// The server takes the handshake up so much later.
    case slowHandshake(Duration)
    /// The certificate's time is over.
    case expired
    /// The certificate is for another host.
    case wrongName
    /// The certificate's signer is unknown.
    case untrusted
    /// Where the server closes the connection in order, it does so by FIN alone.
    case noCloseNotify

    /// Of `slow-handshake` without a value.
    package static let usualDelay = Duration.seconds(2)

    /// Every word of the language, and what it means without a value.
    package static let words: [(word: String, fault: TLSFault)] = [
        ("fail-handshake", .failHandshake), ("slow-handshake", .slowHandshake(usualDelay)),
        ("expired", .expired), ("wrong-name", .wrongName), ("untrusted", .untrusted),
        ("no-close-notify", .noCloseNotify),
    ]
}

package enum KeepAliveFault: Hashable, Sendable {
    case closeAtNext
    case close(after: Duration)
    case maxAge(Duration, then: DisconnectManner)
}
