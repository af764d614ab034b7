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
            var generator = injector.draws.generator(
                rule: firing.rule.position, key: firing.key, ordinal: firing.ordinal,
                use: "delay \(run.nextAction)")
            let delay = time.duration(rank: firing.rank, &generator)
            run.noteDelay(delay, of: firing.rule)
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
        case .length: edit(.chunked, run)
        case .range(let fault): change(fault, run)
        case .raw(let bytes): return raw(bytes, firing, run)
        case .refuse(let time, let how): refuse(for: time, how)
        case .backend(let action): carryOut(action, of: firing.rule, run)
        case .expectContinue(let fault): answerExpectation(fault, run)
        case .redirect(let redirection): respond(answer(redirection, to: run), run)
        case .framing, .interim, .tls, .keepAlive: break
        }
        return nil
    }

    /// Nothing more is read or sent.
    func silence(_ run: ExchangeRun) -> ExchangeVerdict {
        settle(run, carriedOut: false)
        save(run)
        return .silence
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
        return .disconnect(Disconnection(manner))
    }

    /// True where a fault gave an answer that is yet to be sent: the end comes after it.
    private func isAnswerForced(_ run: ExchangeRun) -> Bool {
        switch run.moment {
        case .requestHead, .requestBody, .beforeCommit, .afterCommit: run.forced != nil
        case .responseHead: run.answersInstead
        case .connect, .responseBody, .responseEnd, nil: false
        }
    }

    func respond(_ forced: ForcedResponse, _ run: ExchangeRun) {
        let response = forced.response(wallClock: store.time)
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
        edit.apply(to: &response)
        run.exchange.response = response
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
            nil:
            break
        }
    }

    private func pace(_ run: ExchangeRun, _ make: (Int64) -> Pace) {
        switch run.moment {
        case .requestHead: run.requestPace = make(0)
        case .requestBody(let offset):
            run.requestPace = make(offset)
            addStop(run, run.requestPace, after: offset)
        case .beforeCommit, .afterCommit, .responseHead: run.responsePace = make(0)
        case .responseBody(let offset):
            run.responsePace = make(offset)
            addStop(run, run.responsePace, after: offset)
        case .connect, .responseEnd, nil: break
        }
    }

    /// Bytes instead of head and body; the actions that follow decide how it ends.
    private func raw(
        _ bytes: [UInt8], _ firing: FaultInjector.Firing, _ run: ExchangeRun
    ) -> ExchangeVerdict {
        settle(run, carriedOut: false)
        var steps = [WireStep.send(bytes)]
        var ending: [WireStep] = [.drain, .close]
        for action in firing.rule.actions[run.nextAction...] {
            switch action {
            case .raw(let bytes): steps.append(.send(bytes))
            case .delay(.fixed(let time)), .stall(let time?): steps.append(.wait(time))
            case .disconnect(.close), .disconnect(.half): ending = [.finishSending, .drain, .close]
            case .disconnect(.reset): ending = [.reset]
            default: break
            }
        }
        run.nextAction = firing.rule.actions.count
        return .adopt(steps + ending)
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

extension RangeHeader {
    fileprivate var text: String {
        switch self {
        case .from(let first, let last): "bytes=\(first)-\(last.map { "\($0)" } ?? "")"
        case .last(let count): "bytes=-\(count)"
        }
    }
}
