/// How a connection failed, as an error's cause names it.
package enum TransportFault: String, Hashable, Sendable, CaseIterable {
    case refused
    case resolve
    /// The peer sent RST.
    case reset
    /// The peer closed before the first byte of an answer.
    case closed
    /// The answer ended early.
    case cut
    case timedOut = "timed-out"
    case offline
    case tls
    case malformed
    case oversizedHead = "oversized-head"
    case tooManyRedirects = "too-many-redirects"
}
