import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

/// One exchange on its way through its points. Confined to the server's actor.
final class ExchangeRun {
    /// Why it stands still.
    enum Wait {
        /// A step wants it here.
        case step(HoldID)
        /// The runner holds it at its head.
        case head
        case delay
        case stall
        case trigger(Trigger)
        case latency
        case pace
    }

    /// Where an exchange stands, and how far it is there.
    struct Standing {
        var moment: WireMoment?
        var arrivedAt: WireMoment?
        var holds: [HoldID] = []
        var firing: FaultInjector.Firing?
        var nextAction = 0
        var wait: Wait?
        var waitStart = Duration.zero
        var timer: LoopTimer?
    }

    /// How the connection ends after the answer.
    enum Afterwards {
        case disconnect(DisconnectManner)
        case silence
    }

    let exchange: HTTPExchange
    var wire: WireCall
    var record: ExchangeRecord
    /// Its place in the journal; nil until its head was taken up.
    var place: Int?
    var facts: ExchangeFacts
    var plan: FaultPlan?
    var call: CallInProgress?
    /// True once the call was finished or cut.
    var isSettled = false

    // Where it stands.
    var moment: WireMoment?
    /// The last moment at which it was counted.
    var arrivedAt: WireMoment?
    /// The steps that keep it there.
    var holds: [HoldID] = []
    var passed: Set<WireMoment> = []
    var firing: FaultInjector.Firing?
    var nextAction = 0
    var wait: Wait?
    /// When it began to stand still.
    var waitStart = Duration.zero
    /// Everything began anew while it was under way: it is cut off where it is next asked about.
    var isAbandoned = false
    var timer: LoopTimer?
    /// True while a point is being answered: then nobody may proceed it.
    var isAsked = false

    /// Moments of the clock that have come and were not taken up.
    var clockMoments: [WireMoment] = []
    var clockTimers: [LoopTimer] = []
    /// Where it stands by the clock, beside where it stands on the wire; while a moment of the clock is
    /// taken up it is the other way round.
    var beside: Standing?
    var isByClock = false

    // What faults have made of it.
    var commit: CommitAmount?
    /// The answer that a fault gives instead of the backend.
    var forced: HTTPResponse?
    /// The backend's answer.
    var answer: HTTPResponse?
    var afterwards: Afterwards?
    /// A fault gave the answer at `response-head`.
    var answersInstead = false
    var edits: [ResponseEdit] = []
    /// A fault changes the answer.
    var isEdited = false
    /// Faults of the answer's chunks that were met before its head was sent.
    var framings: [FramingFault] = []
    /// The length that the answer is to tell, where that is a lie.
    var declaredLength: DeclaredLength?
    /// Something was sent to the client before its answer.
    var hasSentInterim = false
    var keepAlive: KeepAliveFault?
    /// When the body began of an answer whose head was sent in pieces.
    var bodyStart: Duration?
    /// What the backend sees in place of the request's body; nil: what was sent.
    var altered: AlteredStream?
    var responseDamage: DamagedSource?
    var waitedForLatency = false
    var requestPace: Pace?
    var responsePace: Pace?
    /// A small request body, kept where a rule looks at JSON.
    var smallBody: [UInt8] = []
    var hasReadBody = false

    /// The object's bytes that the answer carries, for a download.
    var sentRange: Range<Int64>?
    var objectSize: Int64?
    /// The answer that was sent tells that the upload is over.
    var tellsEnd = false

    init(exchange: HTTPExchange, wire: WireCall, record: ExchangeRecord, facts: ExchangeFacts) {
        self.exchange = exchange
        self.wire = wire
        self.record = record
        self.facts = facts
    }

    /// Notes a delay with the fault that it belongs to.
    func noteDelay(_ delay: Duration, of rule: FaultRule) {
        guard let index = record.faults.lastIndex(where: { $0.rule == rule.position }) else {
            return
        }
        record.faults[index].delays.append(delay)
    }

    /// Changes over between the wire and the clock.
    func changeOver() {
        let other = beside ?? Standing()
        beside = Standing(
            moment: moment, arrivedAt: arrivedAt, holds: holds, firing: firing,
            nextAction: nextAction, wait: wait, waitStart: waitStart, timer: timer)
        (moment, arrivedAt, holds, firing) = (
            other.moment, other.arrivedAt, other.holds, other.firing
        )
        (nextAction, wait, waitStart, timer) = (
            other.nextAction, other.wait, other.waitStart, other.timer
        )
        isByClock.toggle()
    }

    /// True while bytes of the request's body are still to come.
    var isAmidBody: Bool {
        switch moment {
        case .requestHead?, .requestBody?: exchange.received < record.length ?? .max
        case .connect, .beforeCommit, .afterCommit, .responseHead, .responseBody, .responseEnd,
            .idle, .elapsed, .unread, nil:
            false
        }
    }

    /// For the report of a run in which nothing can happen any more.
    var waitText: String? {
        let subject = "\(record.operation.rawValue)\(record.path.map { " of \($0)" } ?? "")"
        let isByClock = beside?.wait != nil
        let place = (isByClock ? beside?.moment : moment).map { " at \($0.text)" } ?? ""
        return (isByClock ? beside?.wait : wait).map {
            "exchange \(record.ordinal), \(subject), waits\(place) for \($0.text)"
        }
    }
}

extension ExchangeRun.Wait {
    /// What is waited for.
    var text: String {
        switch self {
        case .step: "a step that has not come"
        case .head: "its release by the runner"
        case .delay, .latency, .pace: "its delay"
        case .stall: "nothing: a fault stalls it for ever"
        case .trigger(let trigger): trigger.text
        }
    }
}

extension WireMoment {
    /// As the scenario language writes it.
    var text: String {
        switch self {
        case .connect: "connect"
        case .requestHead: "request-head"
        case .requestBody(let offset): "request-body \(offset.sizeText)"
        case .beforeCommit: "before-commit"
        case .afterCommit: "after-commit"
        case .responseHead: "response-head"
        case .responseBody(let offset): "response-body \(offset.sizeText)"
        case .responseEnd: "response-end"
        case .idle(let time): FaultPhase.idle(time).name
        case .elapsed(let time): "elapsed \(time.scenarioText)"
        case .unread(let time): "unread \(time.scenarioText)"
        }
    }
}
