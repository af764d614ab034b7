import EventLoop
import Glibc
import StorageModel

// Clients that hold a connection and do nothing with it. Only those are meant for whom the server waits:
// an exchange that a fault or the handler keeps is nobody's fault but ours.
extension HTTPEngine {
    /// How far a connection had got when it was first seen there.
    struct Standstill {
        let acknowledged: UInt64
        let received: UInt64
        let since: Int64
    }

    /// Looks at every connection now and then, until the engine stops.
    func watchPatience() {
        guard let patience = limits.patience, loop.time == nil else { return }
        let pause = max(patience / 8, .milliseconds(5))
        patienceTimer = loop.realTimer(after: min(pause, .seconds(5))) { [weak self] in
            guard let self, !isStopping else { return }
            endStandstills(EventLoop.monotonic() - patience.nanoseconds)
            watchPatience()
        }
    }

    /// - Parameter limit: a time; what has stood since then or longer is ended.
    private func endStandstills(_ limit: Int64) {
        var seen: [Int32: Standstill] = [:]
        for link in Array(links.values) where !link.isTaken && !link.isDead {
            if link.exchange == nil, link.held == nil {
                if link.freeSince <= limit { endFree(link) }
            } else if link.isClientAwaited, let stand = standstill(link.descriptor) {
                if stand.since <= limit {
                    Sockets.reset(link.descriptor)
                } else {
                    seen[link.descriptor] = stand
                }
            }
        }
        for answer in Array(ownAnswers.values) where answer.isClientAwaited {
            guard let stand = standstill(answer.descriptor) else { continue }
            if stand.since <= limit {
                Sockets.reset(answer.descriptor)
            } else {
                seen[answer.descriptor] = stand
            }
        }
        standstills = seen
        for script in Array(scripts.values) { script.endWait(since: limit) }
    }

    /// Nil where the kernel does not tell.
    private func standstill(_ descriptor: Int32) -> Standstill? {
        guard let (acknowledged, received) = Sockets.progress(descriptor) else { return nil }
        if let known = standstills[descriptor], known.acknowledged == acknowledged,
            known.received == received
        {
            return known
        }
        return Standstill(
            acknowledged: acknowledged, received: received, since: EventLoop.monotonic())
    }

    /// No request came whole in time. Source: RFC 9110 section 15.5.9.
    private func endFree(_ link: Link) {
        let received = Sockets.progress(link.descriptor)?.received ?? 0
        let hasBegun = received > link.receivedBefore
        guard let descriptor = take(link) else { return }
        let answer = OwnAnswer.whole(.plain(408, "The request did not come in time."))
        let steps: [WireStep] =
            (hasBegun ? [.send(answer)] : []) + [.finishSending, .drain, .close]
        runScript(steps, on: descriptor, link.id)
    }
}

extension Link {
    /// Nothing but the client makes its exchange go on.
    fileprivate var isClientAwaited: Bool {
        guard let exchange, !isSuspended, !exchange.isWaiting else { return false }
        switch exchange.stage {
        case .requestBody: return !exchange.isBodyWhole
        case .responseBody: return true
        case .queued, .door, .head, .requestEnd, .responseHead, .responseEnd, .silent, .over:
            return false
        }
    }
}
