import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// One action of a fault after the other.
extension MockServer {
    /// Carries out one action. Nil: the next one follows, at once or when the exchange goes on again.
    func perform(
        _ action: FaultAction, of firing: FaultInjector.Firing, on run: ExchangeRun
    ) -> ExchangeVerdict? {
        switch action {
        case .respond(let forced): respond(forced, run)
        case .delay(let time):
            let delay = length(of: time, firing, run)
            if delay > .zero { park(run, .delay, for: delay) }
        case .drop(let what): return drop(what, run)
        case .hold(let trigger, let atMost): hold(run, until: trigger, atMost: atMost)
        case .stall(let time): park(run, .stall, for: time)
        case .disconnect(let manner): return disconnect(manner, run)
        case .silence:
            if isAnswerForced(run) {
                run.afterwards = .silence
                return nil
            }
            return silence(run)
        case .throttle(let rate): pace(run) { Pace(rate: rate, origin: $0, start: loop.now) }
        case .slice(let size, let gap):
            pace(run) { Pace(size: size, gap: gap, origin: $0, start: loop.now) }
        case .corrupt(let corruption): corrupt(corruption, firing, run)
        case .headers(let edit): self.edit(.headers(edit), run)
        case .json(let edit): self.edit(.json(edit), run)
        case .hash(let fault): edit(.hash(fault), run)
        case .length(let length): declare(length, run)
        case .framing(let fault):
            // In the body it was seen to before the head was sent.
            guard run.moment.isBeforeAnswer else { break }
            noteForgedAnswer(run)
            run.isEdited = true
            run.framings.append(fault)
        case .interim(let answers):
            for answer in answers {
                run.exchange.sendInterim(status: answer.status, headers: answer.headers)
            }
            run.hasSentInterim = true
        case .keepAlive(let fault): run.keepAlive = fault
        case .range(let fault): change(fault, run)
        case .raw(let bytes): raw(bytes, firing, run)
        case .refuse(let time, let how): refuse(for: time, how)
        case .backend(let action):
            carryOut(action, of: firing.rule, run)
            if case .server(.restart) = action { return fallSilent(run) }
        case .expectContinue(let fault): answerExpectation(fault, run)
        case .redirect(let redirection): respond(answer(redirection, to: run), run)
        case .tls: break
        }
        return nil
    }

    /// Nothing more is read or sent.
    func silence(_ run: ExchangeRun) -> ExchangeVerdict {
        settle(run, carriedOut: false)
        save(run)
        return .silence
    }

    /// The process is about to end: nothing more comes of the exchange, unless it was over.
    private func fallSilent(_ run: ExchangeRun) -> ExchangeVerdict? {
        switch run.moment {
        case .responseEnd, .idle, .connect, nil: nil
        case .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .responseBody, .elapsed, .unread:
            silence(run)
        }
    }

    private func drop(_ what: Dropped, _ run: ExchangeRun) -> ExchangeVerdict {
        if what == .chunk, run.commit == nil { run.commit = CommitAmount.none }
        settle(run, carriedOut: false)
        save(run)
        return .disconnect(.close)
    }

    private func disconnect(_ manner: DisconnectManner, _ run: ExchangeRun) -> ExchangeVerdict? {
        if isAnswerForced(run) {
            run.afterwards = .disconnect(manner)
            return nil
        }
        settle(run, carriedOut: false)
        save(run)
        // Nothing is waited for where the clock decides: least of all a client that does not read.
        if run.isByClock, manner == .reset { return .disconnect(.abort) }
        return .disconnect(Disconnection(manner))
    }

    /// True where a fault gave an answer that is yet to be sent: the end comes after it.
    private func isAnswerForced(_ run: ExchangeRun) -> Bool {
        switch run.moment {
        case .requestHead, .requestBody, .beforeCommit, .afterCommit: run.forced != nil
        case .responseHead: run.answersInstead
        case .elapsed: run.forced != nil && run.exchange.response == nil
        case .connect, .responseBody, .responseEnd, .idle, .unread, nil: false
        }
    }

    func respond(_ forced: ForcedResponse, _ run: ExchangeRun) {
        let response = forced.response(wallClock: store.time)
        run.exchange.form.isHTTP10 = forced.isHTTP10
        run.exchange.form.script = nil
        if run.moment == .responseHead {
            run.exchange.response = response
            run.answersInstead = true
            run.sentRange = nil
            run.tellsEnd = false
            noteForgedAnswer(run)
        } else {
            run.forced = response
            if run.isSettled { noteForgedAnswer(run) }
        }
    }

    private func edit(_ edit: ResponseEdit, _ run: ExchangeRun) {
        noteForgedAnswer(run)
        run.isEdited = true
        guard run.moment == .responseHead, var response = run.exchange.response else {
            run.edits.append(edit)
            return
        }
        edit.apply(to: &response, &run.exchange.form)
        run.exchange.response = response
    }

    private func declare(_ length: DeclaredLength, _ run: ExchangeRun) {
        noteForgedAnswer(run)
        run.isEdited = true
        run.declaredLength = length
        if case DeclaredLength.none = length { edit(.chunked, run) }
    }

    private func length(
        of time: DelayTime, _ firing: FaultInjector.Firing, _ run: ExchangeRun
    ) -> Duration {
        var generator = injector.draws.generator(
            rule: firing.rule.position, key: firing.key, ordinal: firing.ordinal,
            use: "delay \(run.nextAction)")
        let delay = time.duration(rank: firing.rank, &generator)
        run.noteDelay(delay, of: firing.rule)
        return delay
    }

    private func corrupt(
        _ corruption: Corruption, _ firing: FaultInjector.Firing, _ run: ExchangeRun
    ) {
        var generator = injector.draws.generator(
            rule: firing.rule.position, key: firing.key, ordinal: firing.ordinal, use: "corrupt")
        let seed = generator.next()
        switch run.moment {
        case .requestBody(let offset):
            if run.altered == nil { run.altered = AlteredStream(position: offset) }
            run.altered?.add(corruption, at: offset, seed: seed)
            noteForgedAnswer(run)
        case .responseBody(let offset):
            if let damage = Damage(corruption, at: offset, seed: seed) {
                run.responseDamage?.add(damage)
            }
        case .connect, .requestHead, .beforeCommit, .afterCommit, .responseHead, .responseEnd,
            .idle, .elapsed, .unread, nil:
            break
        }
    }

    private func pace(_ run: ExchangeRun, _ make: (Int64) -> Pace) {
        switch run.moment {
        case .requestHead: run.requestPace = make(0)
        case .requestBody(let offset):
            run.requestPace = make(offset)
            addStop(run, run.requestPace, after: offset)
        case .beforeCommit, .afterCommit, .responseHead:
            let pace = make(0)
            run.responsePace = pace
            run.exchange.form.headSlices = .init(size: Int(clamping: pace.piece), gap: pace.time)
        case .responseBody(let offset):
            run.responsePace = make(offset)
            addStop(run, run.responsePace, after: offset)
        case .elapsed, .unread:
            if run.isSettled {
                run.responsePace = make(run.exchange.sent)
                addStop(run, run.responsePace, after: run.exchange.sent)
            } else {
                run.requestPace = make(run.exchange.received)
                addStop(run, run.requestPace, after: run.exchange.received)
            }
        case .connect, .responseEnd, .idle, nil: break
        }
    }

    /// Bytes instead of head and body. Further bytes, and pauses, that follow at once belong to them; what
    /// follows then decides how the connection ends. Without that it serves the next request.
    private func raw(_ bytes: [UInt8], _ firing: FaultInjector.Firing, _ run: ExchangeRun) {
        settle(run, carriedOut: false)
        var steps = (run.exchange.form.script ?? []) + [WireStep.send(bytes)]
        collect: while run.nextAction < firing.rule.actions.count {
            switch firing.rule.actions[run.nextAction] {
            case .raw(let bytes): steps.append(.send(bytes))
            case .delay(let time):
                run.nextAction += 1
                steps.append(.wait(length(of: time, firing, run)))
                continue collect
            case .stall(let time?): steps.append(.wait(time))
            case .stall(nil): run.afterwards = .silence
            default: break collect
            }
            run.nextAction += 1
        }
        run.exchange.form.script = steps
        if run.moment == .responseHead {
            run.answersInstead = true
            run.sentRange = nil
            run.tellsEnd = false
            noteForgedAnswer(run)
        } else {
            // It stands for the bytes: nothing of it is sent.
            run.forced = HTTPResponse(status: 200)
            noteForgedAnswer(run)
        }
    }

    private func change(_ fault: RangeFault, _ run: ExchangeRun) {
        guard let range = run.wire.range, let size = sizeOfObject(run) else { return }
        switch fault {
        case .ignore: run.wire.range = nil
        case .refuse:
            var answer = ErrorAnswer.response(
                status: 416, message: "The requested range cannot be satisfied.")
            answer.headers["Content-Range"] = "bytes */\(size)"
            run.forced = answer
            return
        case .shift(let distance):
            guard let bytes = range.bytes(of: size) else { return }
            let first = min(max(0, bytes.lowerBound + distance), max(0, size - 1))
            let last = min(max(first, bytes.upperBound - 1 + distance), max(0, size - 1))
            run.wire.range = .from(first, through: last)
        case .longer(let extra):
            run.edits.append(.longer(by: extra))
            return
        }
        run.wire.head.headers["Range"] = run.wire.range.map { $0.text }
        begin(run)
    }

    private func sizeOfObject(_ run: ExchangeRun) -> Int64? {
        guard let path = run.record.path else { return nil }
        return try? store.object(path, in: run.record.bucket ?? base).attributes.size
    }
}

extension WireMoment? {
    /// Nothing of the answer was sent.
    fileprivate var isBeforeAnswer: Bool {
        switch self {
        case .connect, .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .elapsed:
            true
        case .responseBody, .responseEnd, .idle, .unread, nil: false
        }
    }
}

extension RangeHeader {
    fileprivate var text: String {
        switch self {
        case .from(let first, let last): "bytes=\(first)-\(last.map { "\($0)" } ?? "")"
        case .last(let count): "bytes=-\(count)"
        }
    }
}
