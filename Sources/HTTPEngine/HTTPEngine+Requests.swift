import CMicroHTTPD
import EventLoop
import Glibc
import StorageModel

// What libmicrohttpd tells and asks, in our words.
extension HTTPEngine {
    func connectionStarted(_ handle: OpaquePointer) -> Link {
        let descriptor = cmhd_connection_fd(handle)
        let id = announced.removeValue(forKey: descriptor) ?? ConnectionID(ordinal: 0)
        let link = Link(id: id, handle: handle, descriptor: descriptor)
        links[ObjectIdentifier(link)] = link
        watchForEnd(link)
        return link
    }

    /// Comes before libmicrohttpd closes its descriptor.
    func connectionClosed(_ link: Link) {
        links[ObjectIdentifier(link)] = nil
        comeBack(link)
        if link.isTaken { return }
        loop.unwatch(link.descriptor)
        closedByParser(link)
        if let held = link.held, !isStopping {
            link.held = nil
            let copy = Sockets.duplicate(link.descriptor)
            if copy >= 0 {
                loop.time?.serverOpened(copy)
                loop.time?.serverClosed(link.descriptor)
                return keep(copy, for: held)
            }
            clientLeft(held)
        }
        loop.time?.serverClosed(link.descriptor)
        connectionEnded(link.id)
    }

    /// The answer was the connection's last, but its exchange is not over.
    private func keep(_ descriptor: Int32, for exchange: HTTPExchange) {
        let script = makeScript([], on: descriptor, exchange.connection, staysOpen: true) {
            [unowned self] ending in
            if ending == .clientLeft { clientLeft(exchange) }
        }
        exchange.carrier = .kept(script)
        loop.post { script.run() }
    }

    /// A head was read whole.
    func headArrived(_ request: PendingRequest, _ known: HeadCache.Known) -> MHD_Result {
        let link = request.link
        guard !isStopping, !link.isTaken, !link.isDead else { return .NO }
        if link.closesAtNext {
            closeNow(link)
            return .NO
        }
        let refusal = known.refusal
        exchangeCount += 1
        let exchange = HTTPExchange(
            ordinal: exchangeCount, connection: link.id, isReused: link.heads > 0,
            head: known.head, headNumber: known.number, refusal: refusal?.response)
        exchange.engine = self
        exchange.isFramingUnsure = refusal?.isFramingUnsure ?? false
        exchange.brokenRule = refusal?.brokenRule
        link.newest = exchange.ordinal
        exchange.carrier = .parser(link)
        exchange.isBodyWhole = !known.hasBody && refusal?.isFramingUnsure != true
        exchanges[exchange.ordinal] = exchange
        request.exchange = exchange
        link.exchange = exchange
        link.heads += 1
        let isSlow = waitsForHead(
            exchange, request, size: cmhd_header_size(link.handle))
        if link.held != nil || isSlow {
            exchange.stage = .queued
            return stay(link, isHeadCall: true)
        }
        return enter(exchange, link)
    }

    private func enter(_ exchange: HTTPExchange, _ link: Link) -> MHD_Result {
        exchange.stage = .head
        guard usesDoor else { return answer(walk(exchange), exchange, link, isHeadCall: true) }
        exchange.stage = .door
        standAtDoor(exchange)
        return stay(link, isHeadCall: true)
    }

    /// Body bytes (`taken` is told how many of them we have), or none: either the head's call comes
    /// again after a suspension, or the request is whole.
    func parserAsks(
        _ exchange: HTTPExchange, _ link: Link, _ data: UnsafeRawBufferPointer, taken: (Int) -> Void
    ) -> MHD_Result {
        guard !link.isTaken, !link.isDead else { return .NO }
        if !link.isAnsweredByUs {
            guard case .parser = exchange.carrier, exchange.stage != .over else { return .NO }
        }
        if link.isHeadCallDue {
            link.isHeadCallDue = false
            return exchange.stage == .queued ? enter(exchange, link) : .YES
        }
        if link.isAnsweredByUs { return passBy(link, data, taken: taken) }
        if data.count > 0 { return bodyArrived(exchange, link, data, taken: taken) }
        exchange.isBodyWhole = true
        if exchange.stage == .requestBody { exchange.stage = .requestEnd }
        if exchange.stage == .responseBody { return queueAnswer(exchange, link) }
        switch walk(exchange) {
        case .flow: return queueAnswer(exchange, link)
        case let result: return answer(result, exchange, link)
        }
    }

    /// Takes exactly the bytes up to the next stop, and leaves the rest with libmicrohttpd.
    private func bodyArrived(
        _ exchange: HTTPExchange, _ link: Link, _ data: UnsafeRawBufferPointer, taken: (Int) -> Void
    ) -> MHD_Result {
        var rest = data[...]
        while !rest.isEmpty {
            var size = rest.count
            if let stop = exchange.nextRequestStop {
                size = Int(min(Int64(size), stop - exchange.received))
            }
            if let limit = limits.bodySize, exchange.received + Int64(size) > limit {
                exchange.response = .tooLarge(limit)
                exchange.stage = .responseHead
                answerEarly(exchange)
            } else if size > 0 {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
                rest = rest.dropFirst(size)
                exchange.received += Int64(size)
                exchange.isBodyWhole = exchange.received == exchange.head.contentLength
                handler?.received(exchange, piece)
            }
            let result = walk(exchange)
            if case .flow = result, case .parser = exchange.carrier { continue }
            // What is left behind an early answer is nobody's.
            taken(link.isAnsweredByUs ? data.count : data.count - rest.count)
            return answer(result, exchange, link)
        }
        taken(data.count)
        return .YES
    }

    private func answer(
        _ result: Walk, _ exchange: HTTPExchange, _ link: Link, isHeadCall: Bool = false
    ) -> MHD_Result {
        switch result {
        case .left: return .NO
        case .flow:
            if case .parser = exchange.carrier { return .YES }
            goOnLater(exchange)
            return link.isAnsweredByUs ? .YES : .NO
        case .stay:
            if link.isAnsweredByUs { return .YES }
            guard case .parser = exchange.carrier else { return .NO }
            return stay(link, isHeadCall: isHeadCall)
        }
    }

    func stay(_ link: Link, isHeadCall: Bool = false) -> MHD_Result {
        guard !isStopping else { return .NO }
        link.isHeadCallDue = isHeadCall
        suspend(link)
        return .YES
    }

    /// libmicrohttpd has done with the request: answered, or its connection broke.
    func parserEnded(_ request: PendingRequest, isComplete: Bool) {
        let link = request.link
        comeBack(link)
        guard let exchange = request.exchange else {
            link.headlessTarget = request.target
            if isComplete { refusedByParser(link) }
            return
        }
        if link.exchange === exchange { link.exchange = nil }
        if limits.patience != nil {
            link.freeSince = EventLoop.monotonic()
            link.receivedBefore = Sockets.progress(link.descriptor)?.received ?? 0
        }
        guard exchange.stage != .over else { return }
        if link.isAnsweredByUs { return isStopping ? end(exchange, .open) : clientLeft(exchange) }
        guard case .parser = exchange.carrier else { return }
        if isComplete, exchange.stage == .requestBody {
            return bodyRefusedByParser(exchange)
        }
        guard isComplete, exchange.stage == .responseBody else {
            return isStopping ? end(exchange, .open) : clientLeft(exchange)
        }
        exchange.isResponseHeadSent = true
        exchange.sent = exchange.responseLength
        exchange.stage = .responseEnd
        link.held = exchange
        if case .stay = walk(exchange) { return }
        if link.held === exchange { link.held = nil }
    }
}
