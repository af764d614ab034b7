import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// The phases that go by the clock: `elapsed` and `unread`.
extension MockServer {
    /// The head was read: from here on time counts.
    func watchClock(_ run: ExchangeRun) {
        guard let times = run.plan?.elapsedTimes, !times.isEmpty else { return }
        let ordinal = run.record.ordinal
        for time in times {
            run.clockTimers.append(after(time) { $0.strike(.elapsed(time), ordinal) })
        }
    }

    /// The answer is about to be sent: from here on what was sent may stop to move.
    func watchSending(_ run: ExchangeRun) {
        guard let times = run.plan?.unreadTimes, !times.isEmpty else { return }
        look(SendingWatch(times: times, since: loop.now), run.record.ordinal)
    }

    private struct SendingWatch {
        /// What is left, ascending.
        var times: [Duration]
        /// When something moved, or nothing was there to be moved.
        var since: Duration
        var unsent = 0
        var sent: Int64 = -1

        /// So often in the shortest of the times it is looked whether something has moved.
        static let looks = 20
    }

    private func look(_ watch: SendingWatch, _ ordinal: Int) {
        guard let run = runs[ordinal] else { return }
        var watch = watch
        let (unsent, sent) = (run.exchange.unsentBytes, run.exchange.sent)
        if unsent == 0 || unsent != watch.unsent || sent != watch.sent {
            (watch.unsent, watch.sent, watch.since) = (unsent, sent, loop.now)
        }
        while let time = watch.times.first, loop.now - watch.since >= time {
            watch.times.removeFirst()
            strike(.unread(time), ordinal)
        }
        guard let next = watch.times.first else { return }
        let rest = next - (loop.now - watch.since)
        let pause = min(rest, max(next / SendingWatch.looks, .milliseconds(1)))
        let later = watch
        run.clockTimers = [after(pause) { $0.look(later, ordinal) }] + run.clockTimers.prefix(16)
    }

    /// A moment of the clock has come.
    private func strike(_ moment: WireMoment, _ ordinal: Int) {
        guard let run = runs[ordinal] else { return }
        run.clockMoments.append(moment)
        run.exchange.interrupt()
    }

    /// The engine asks out of turn. What happens here goes on beside what keeps the exchange elsewhere.
    func takeUpClock(_ run: ExchangeRun) -> ExchangeVerdict {
        if run.beside?.wait != nil { return .wait }
        run.isAsked = true
        run.changeOver()
        defer {
            run.changeOver()
            run.isAsked = false
        }
        while let moment = run.clockMoments.first {
            if let end = walk(run, moment) { return end }
            run.clockMoments.removeFirst()
        }
        guard let forced = run.forced, run.exchange.response == nil else { return .proceed }
        settle(run, carriedOut: false)
        // What kept the exchange where it was is over with that.
        run.beside?.timer.map(loop.cancel)
        run.beside?.timer = nil
        run.beside?.wait = nil
        return .respond(forced)
    }
}
