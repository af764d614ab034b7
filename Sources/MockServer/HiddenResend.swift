import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

/// A request whose reused connection died before a byte of its answer: a transport may send it again
/// without its client's knowledge. Source: RFC 9112 section 9.3.1.
struct ResendCandidate {
    let ordinal: Int
    let head: HTTPRequestHead
    let connection: ConnectionID
    let time: Duration

    /// A transport repeats at once; a client that backs off repeats later.
    static let window = Duration.milliseconds(50)
}

extension MockServer {
    /// Ordinal of the exchange that this one repeats; nil: it repeats none.
    func resendOf(_ run: ExchangeRun) -> Int? {
        guard let candidate = resendable else { return nil }
        let window = loop.time == nil ? ResendCandidate.window : .zero
        guard loop.now - candidate.time <= window else {
            resendable = nil
            return nil
        }
        guard !run.record.isReused, run.exchange.connection != candidate.connection,
            run.exchange.head == candidate.head
        else { return nil }
        resendable = nil
        return candidate.ordinal
    }

    func noteResendable(_ run: ExchangeRun, _ ending: ExchangeRecord.Ending) {
        guard run.record.isReused, run.record.status == nil, !run.hasSentInterim,
            run.exchange.form.script == nil,
            ending == .clientLeft || ending == .disconnected
        else { return }
        resendable = ResendCandidate(
            ordinal: run.record.ordinal, head: run.exchange.head,
            connection: run.exchange.connection, time: loop.now)
    }
}
