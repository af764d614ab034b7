import EventLoop
import HTTPEngine
import StorageModel

/// One stay of a client: what it is to be told, what it has told, and whether it is still there.
///
/// Both directions are numbered, so that a request or an answer that is lost on the way and sent again
/// neither loses nor doubles a message.
final class DialInSession: @unchecked Sendable {
    // Invariant: confined to the loop.
    /// How a client breaks the numbering.
    struct Mistake: Error {
        /// What it did, as a message says it.
        let sentence: String
    }

    let id: String
    /// What the client calls itself, the same after its page was loaded again; nil: nothing.
    let client: String?
    private let loop: EventLoop
    private let limits: DialInOptions.Limits
    /// Who talks to the client; nil: nobody yet.
    weak var link: DialInLink?
    /// Why the session is over.
    private(set) var ending: String?

    /// Commands that the client has not acknowledged.
    private var lines: [String] = []
    private var acknowledged = 0
    /// The last command that was in an answer.
    private var handedOut = 0
    /// Lines of reports that were taken.
    private var received = 0

    /// The request that waits for commands.
    private var poll: HTTPExchange?
    private var pollTimer: LoopTimer?

    /// Requests under way.
    private var requests = 0
    private var lastSeen = EventLoop.monotonic()
    /// When its connection broke; nil: it has asked since.
    private var brokenAt: Int64?

    init(_ loop: EventLoop, client: String?, limits: DialInOptions.Limits) {
        id = Self.random()
        self.loop = loop
        self.client = client
        self.limits = limits
    }

    static func random() -> String {
        let parts = [UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))]
        return parts.map { String($0, radix: 36) }.joined()
    }

    // MARK: Commands

    func write(_ line: String) {
        lines.append(line)
        answerPoll()
    }

    /// Commands behind the one with that number, which are the client's next; nil: there are none yet,
    /// and the exchange is the one to be answered.
    func commands(after number: Int, for exchange: HTTPExchange) throws(Mistake) -> HTTPResponse? {
        if let over { return over }
        let last = acknowledged + lines.count
        guard (acknowledged...last).contains(number) else {
            throw Mistake(
                sentence: "asked for the commands after \(number), where "
                    + "\(acknowledged == last ? "" : "\(acknowledged) to ")\(last) could be")
        }
        lines.removeFirst(number - acknowledged)
        acknowledged = number
        // One that asks twice at once has given up the first answer.
        answerPoll()
        guard lines.isEmpty else { return batch() }
        poll = exchange
        pollTimer = loop.realTimer(after: limits.poll) { [weak self] in self?.answerPoll() }
        return nil
    }

    private func batch() -> HTTPResponse {
        handedOut = acknowledged + lines.count
        return DialInAnswer.json(
            "{\"commands\":[\(lines.joined(separator: ","))],\"last\":\(handedOut)}")
    }

    private func answerPoll() {
        guard let exchange = poll, let call = exchange.state as? DialInCall else { return }
        forgetPoll()
        call.answer = over ?? batch()
        exchange.proceed()
    }

    private func forgetPoll() {
        pollTimer.map(loop.cancel)
        pollTimer = nil
        poll = nil
    }

    // MARK: Reports

    /// Takes lines, the first of which has that number; those that came before are left out.
    func take(_ body: [UInt8], first: Int) throws(Mistake) -> HTTPResponse {
        if let over { return over }
        guard let link else { return DialInAnswer.error(409, "nothing was asked yet") }
        guard first >= 1 else { throw Mistake(sentence: "numbers its reports from 0, not from 1") }
        guard first <= received + 1 else {
            return DialInAnswer.json(
                "{\"error\":\"reports \(received + 1) to \(first - 1) are missing\","
                    + "\"received\":\(received)}", status: 409)
        }
        let new = Self.lines(of: body).dropFirst(received + 1 - first)
        for line in new where ending == nil {
            received += 1
            link.hear(line)
        }
        return over ?? DialInAnswer.json("{\"received\":\(received)}")
    }

    /// Without their ends (LF or CRLF); empty ones are none.
    private static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
        body.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
            .filter { !$0.isEmpty }
    }

    // MARK: The end

    /// The answer to everything, once the session is over.
    var over: HTTPResponse? {
        ending.map { why in
            DialInAnswer.json(
                "{\"error\":\(DialInAnswer.quoted(why)),\"over\":true}", status: 410)
        }
    }

    func end(_ why: String) {
        guard ending == nil else { return }
        ending = why
        answerPoll()
    }

    // MARK: Presence

    func requestBegan() {
        requests += 1
        brokenAt = nil
        lastSeen = EventLoop.monotonic()
    }

    func requestEnded(_ exchange: HTTPExchange) {
        requests -= 1
        lastSeen = EventLoop.monotonic()
        if poll === exchange { forgetPoll() }
    }

    func connectionBroke(_ exchange: HTTPExchange) {
        brokenAt = EventLoop.monotonic()
        // Nobody hears it, and the exchange ends.
        if poll === exchange { answerPoll() }
    }

    var hasPoll: Bool { poll != nil }

    /// Why the client is taken to be gone, as a message says it; nil: it is not.
    var absence: String? {
        guard requests == 0 else { return nil }
        if let brokenAt, Self.time(since: brokenAt) >= limits.absence {
            return "went away: it closed its connection and did not come back within "
                + limits.absence.scenarioText
        }
        guard Self.time(since: lastSeen) >= limits.silence else { return nil }
        return "went away: it has asked for nothing for \(limits.silence.scenarioText)"
    }

    /// True where somebody else cannot take its place.
    var isPresent: Bool {
        requests > 0 || brokenAt == nil && Self.time(since: lastSeen) < limits.absence
    }

    /// Commands that the client has never asked for, while it is there.
    var neglected: Int { acknowledged + lines.count - max(handedOut, acknowledged) }

    private static func time(since moment: Int64) -> Duration {
        .nanoseconds(EventLoop.monotonic() - moment)
    }
}
