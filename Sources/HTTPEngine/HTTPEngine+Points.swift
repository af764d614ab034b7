import EventLoop
import StorageModel

/// How far an exchange got.
enum Walk {
    /// Something has to flow now: request bytes, or the answer.
    case flow
    /// It stands at a point or at the door.
    case stay
    /// Its connection has another owner, or it is over.
    case left
}

extension HTTPEngine {
    /// Asks the handler at each point that is due.
    func walk(_ exchange: HTTPExchange) -> Walk {
        while let point = exchange.duePoint {
            guard let handler else {
                end(exchange, .open)
                return .left
            }
            exchange.isReported = true
            let verdict = handler.reached(exchange, point)
            // The handler may have stopped the engine, or heard of the client's leaving.
            guard exchange.stage != .over else { return .left }
            if let result = carryOut(verdict, exchange, point) { return result }
        }
        switch exchange.stage {
        case .over, .silent: return .left
        case .responseBody where isDoorDue(exchange):
            exchange.doorOffset += Self.pieceSize
            standAtDoor(exchange)
            return .stay
        default: return .flow
        }
    }

    /// Nil: the next point may be asked.
    private func carryOut(
        _ verdict: ExchangeVerdict, _ exchange: HTTPExchange, _ point: ExchangePoint
    ) -> Walk? {
        switch verdict {
        case .proceed: return proceed(exchange, from: point)
        case .wait:
            exchange.isWaiting = true
            return .stay
        case .respond(let response): return respond(exchange, response, at: point)
        case .disconnect(let how): return disconnect(exchange, how)
        case .silence: return silence(exchange)
        case .adopt(let steps): return adopt(exchange, steps)
        case .stream(let answer): return stream(exchange, answer)
        }
    }

    private func proceed(_ exchange: HTTPExchange, from point: ExchangePoint) -> Walk? {
        if point == .head, let refusal = exchange.refusal {
            return respond(exchange, refusal, at: point)
        }
        exchange.pass(point)
        if point == .responseEnd {
            end(exchange, .complete)
            return .left
        }
        return nil
    }

    private func respond(
        _ exchange: HTTPExchange, _ response: HTTPResponse, at point: ExchangePoint
    ) -> Walk? {
        if point == .interrupted {
            return respond(exchange, response, at: interruptedPoint(exchange))
        }
        switch point {
        case .head, .requestBody, .requestEnd:
            exchange.response = response
            exchange.stage = .responseHead
            if !exchange.isBodyWhole { answerEarly(exchange) }
        case .responseHead:
            exchange.response = response
            exchange.pass(point)
        case .responseBody, .responseEnd, .interrupted:
            // The answer is on its way already.
            return proceed(exchange, from: point)
        }
        return nil
    }

    // MARK: Ends of connections

    /// Ends the exchange and its connection from outside, wherever it stands.
    func breakOff(_ exchange: HTTPExchange, _ how: Disconnection) {
        guard exchange.stage != .over else { return }
        let carrier = exchange.carrier
        cut(exchange, how)
        // libmicrohttpd must see that its end is dead.
        if case .parser(let link) = carrier { resume(link) }
    }

    private func disconnect(_ exchange: HTTPExchange, _ how: Disconnection) -> Walk {
        let isThere = runScript(Self.steps(how), with: exchange, staysOpen: false) { _, _ in }
        end(exchange, isThere ? .disconnected : .clientLeft)
        return .left
    }

    /// Breaks an exchange wherever it stands.
    func cut(_ exchange: HTTPExchange, _ how: Disconnection) {
        _ = disconnect(exchange, how)
    }

    private func silence(_ exchange: HTTPExchange) -> Walk {
        guard runScript([], with: exchange, staysOpen: true, ended: scriptEnded) else {
            end(exchange, .clientLeft)
            return .left
        }
        exchange.stage = .silent
        return .left
    }

    /// The same while something flows.
    func silenceFlow(_ exchange: HTTPExchange) { _ = silence(exchange) }

    private func adopt(_ exchange: HTTPExchange, _ steps: [WireStep]) -> Walk {
        guard runScript(steps, with: exchange, staysOpen: false, ended: scriptEnded) else {
            end(exchange, .clientLeft)
            return .left
        }
        exchange.stage = .silent
        return .left
    }

    private func scriptEnded(_ exchange: HTTPExchange, _ ending: ScriptedSocket.Ending) {
        switch ending {
        case .done: end(exchange, .disconnected)
        case .clientLeft: clientLeft(exchange)
        case .stopped: end(exchange, .open)
        }
    }

    // MARK: Going on

    /// Takes up an exchange that was told to.
    func goOn(_ exchange: HTTPExchange) {
        switch exchange.carrier {
        case .none: goOnWithoutClient(exchange)
        case .parser(let link):
            goOn(exchange, link)
        case .ownAnswer(let answer): answer.pump()
        case .kept: _ = walk(exchange)
        }
    }

    private func goOn(_ exchange: HTTPExchange, _ link: Link) {
        if exchange.stage == .queued {
            let isDue = exchange.headTimer == nil && link.held == nil
            return isDue ? resume(link) : ()
        }
        let isHeld = link.held === exchange
        let result = walk(exchange)
        // An early answer may stand still: its request is read on all the same.
        if link.isAnsweredByUs { resume(link) }
        if case .stay = result { return }
        if case .ownAnswer(let answer) = exchange.carrier { answer.pump() }
        if !isHeld || link.isTaken { resume(link) }
    }

    /// The client has left and the body was read whole: the backend does its part all the same.
    private func goOnWithoutClient(_ exchange: HTTPExchange) {
        while exchange.stage != .over {
            guard case .flow = walk(exchange) else { break }
            if exchange.stage == .requestBody, exchange.isBodyWhole {
                exchange.stage = .requestEnd
            } else {
                end(exchange, .clientLeft)
            }
        }
    }

    /// Whether the client is known to have closed its end of an exchange's connection, also where what
    /// it sent before that is not read yet.
    func isClosedByPeer(_ exchange: HTTPExchange) -> Bool {
        if exchange.isClientGone { return true }
        guard case .parser(let link) = exchange.carrier else { return false }
        return EventLoop.isClosedByPeer(link.descriptor)
    }

    /// The client has left. Does not touch the connection.
    func clientLeft(_ exchange: HTTPExchange) {
        guard exchange.stage != .over, !exchange.isClientGone else { return }
        exchange.isClientGone = true
        if case .ownAnswer(let answer) = exchange.carrier { answer.stop() }
        exchange.carrier = .none
        // At the door nobody has heard of it yet; it is let in by its turn.
        if exchange.stage == .door { return }
        if exchange.stage == .queued { return end(exchange, .clientLeft) }
        handler?.clientLeft(exchange)
        guard exchange.stage != .over else { return }
        switch exchange.stage {
        case .head, .requestBody, .requestEnd, .responseHead:
            guard exchange.isBodyWhole else { return end(exchange, .clientLeft) }
            if !exchange.isWaiting { goOnLater(exchange) }
        case .responseEnd:
            if !exchange.isWaiting { end(exchange, .clientLeft) }
        case .responseBody, .silent: end(exchange, .clientLeft)
        case .queued, .door, .over: break
        }
    }

    /// The exchange is over; told once. Does not touch the connection, unless the answer was ours.
    func end(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        guard exchange.stage != .over else { return }
        exchange.stage = .over
        exchange.isWaiting = false
        exchanges[exchange.ordinal] = nil
        door.remove(exchange)
        if exchange.isReported { handler?.ended(exchange, ending) }
        leaveConnection(exchange, ending)
    }
}
