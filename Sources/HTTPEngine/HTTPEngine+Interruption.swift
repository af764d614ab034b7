import CEpoll
import EventLoop
import StorageModel

// Exchanges that are stopped by the clock, wherever they are.
extension HTTPExchange {
    /// Asks the handler about this exchange out of turn (`ExchangePoint.interrupted`), whether it
    /// stands at a point or flows. Without effect where nothing is left of it. Call it on the loop, not
    /// from inside a question to the handler.
    package func interrupt() { engine?.interrupt(self) }

    /// Bytes that the kernel has for the client and that have not left, as the client does not read.
    package var unsentBytes: Int {
        switch carrier {
        case .parser(let link): link.isDead || link.isTaken ? 0 : Self.unsent(link.descriptor)
        case .ownAnswer(let answer): answer.unsentBytes
        case .kept, .none: 0
        }
    }

    static func unsent(_ descriptor: Int32) -> Int { max(0, Int(cepoll_unsent(descriptor))) }
}

extension HTTPEngine {
    func interrupt(_ exchange: HTTPExchange) {
        switch exchange.stage {
        case .queued, .door, .silent, .over: return
        case .head, .requestBody, .requestEnd, .responseHead, .responseBody, .responseEnd: break
        }
        guard !isStopping else { return }
        exchange.isInterrupted = true
        if exchange.isWaiting, !exchange.isAtDoor { return goOnLater(exchange) }
        guard case .stay = askOutOfTurn(exchange) else { return }
        guard case .parser(let link) = exchange.carrier, link.held !== exchange else { return }
        suspend(link)
    }

    private func askOutOfTurn(_ exchange: HTTPExchange) -> Walk {
        let result = walk(exchange)
        guard case .flow = result else { return result }
        if case .ownAnswer(let answer) = exchange.carrier, !exchange.isAtDoor { answer.pump() }
        return result
    }

    /// The point as which an answer out of turn is taken.
    func interruptedPoint(_ exchange: HTTPExchange) -> ExchangePoint {
        exchange.pass(.interrupted)
        return switch exchange.stage {
        case .head: .head
        case .requestBody: .requestBody(exchange.received)
        case .requestEnd: .requestEnd
        case .responseHead: .responseHead
        case .responseBody, .responseEnd, .queued, .door, .silent, .over: .interrupted
        }
    }
}
