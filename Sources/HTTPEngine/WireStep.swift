/// One thing done to a connection that has left HTTP.
package enum WireStep: Hashable, Sendable {
    case send([UInt8])
    /// Sends in slices of `size` bytes (1 or more) with a gap on the scenario's clock between them.
    case slices([UInt8], size: Int, gap: Duration)
    /// On the scenario's clock.
    case wait(Duration)
    /// FIN; the other direction stays open.
    case finishSending
    /// Reads and throws away what comes until the peer closes.
    case drain
    /// RST, as soon as everything sent before has left for the peer; ends the script.
    case reset
    /// RST at once, what was not sent is lost; ends the script.
    case abort
    /// Closes; ends the script. Unread bytes make an RST of it: `finishSending`, `drain` first.
    case close
}
