import CEpoll
import CMicroHTTPD
import EventLoop
import Glibc
import StorageModel

extension HTTPEngine {
    // MARK: Coming

    func accept(_ descriptor: Int32) {
        loop.time?.serverOpened(descriptor)
        connectionCount += 1
        let id = ConnectionID(ordinal: connectionCount)
        liveConnections.insert(id)
        connectionsChanged()
        if max(liveConnections.count, secureCount) > limits.connections {
            return turnAway(descriptor, id)
        }
        decide(descriptor, id)
    }

    /// Asks the handler what becomes of a connection of which nothing was read.
    func decide(_ descriptor: Int32, _ id: ConnectionID) {
        let verdict = handler?.accepted(id) ?? .close
        switch verdict {
        case .proceed:
            guard let authority else { return giveToParser(descriptor, id) }
            let plan = handler?.tlsPlan(for: id) ?? TLSPlan()
            secure(descriptor, id, authority, plan) { [unowned self] in giveToParser($0, id) }
        case .wait: keepUndecided(descriptor, id)
        case .adopt(let steps): runScript(steps, on: descriptor, id)
        case .close: runScript([.finishSending, .drain, .close], on: descriptor, id)
        case .reset: runScript([.reset], on: descriptor, id)
        case .silence: runScript([], on: descriptor, id, staysOpen: true)
        case .send(let bytes):
            runScript([.send(bytes), .finishSending, .drain, .close], on: descriptor, id)
        }
    }

    /// Beyond the limit the handler is not asked, but hears of the end, as of any other.
    private func turnAway(_ descriptor: Int32, _ id: ConnectionID) {
        if max(liveConnections.count, secureCount) > 2 * limits.connections {
            return runScript([.close], on: descriptor, id)
        }
        let answer = OwnAnswer.whole(.plain(503, "There are too many connections."))
        let steps: [WireStep] = [.send(answer), .finishSending, .drain, .close]
        guard let authority else { return runScript(steps, on: descriptor, id) }
        secure(descriptor, id, authority, TLSPlan()) { [unowned self] in
            runScript(steps, on: $0, id)
        }
    }

    private func giveToParser(_ descriptor: Int32, _ id: ConnectionID) {
        announced[descriptor] = id
        let result = SocketAddress.ofPeer(descriptor).map { peer in
            peer.withPointer { MHD_add_connection(daemon, descriptor, $0, $1) }
        }
        needsRun = true
        if result == .YES { return }
        // The client has left already. libmicrohttpd closes what it refuses.
        announced[descriptor] = nil
        if result == nil { close(descriptor) }
        loop.time?.serverClosed(descriptor)
        connectionEnded(id)
    }

    func connectionEnded(_ id: ConnectionID) {
        guard liveConnections.remove(id) != nil else { return }
        relays[id]?.engineLeft()
        headTimes[id] = nil
        muted.remove(id)
        handler?.closed(id)
        connectionsChanged()
    }

    // MARK: Waiting

    /// libmicrohttpd does not look at the connection any more, so that we must.
    func suspend(_ link: Link) {
        guard !link.isSuspended, !link.isTaken, !link.isDead else { return }
        MHD_suspend_connection(link.handle)
        link.watch = PeerWatch(link.descriptor, on: loop, peers: peers) { [unowned self, link] in
            suspendedClientLeft(link)
        }
    }

    func resume(_ link: Link) {
        guard let watch = link.watch else { return }
        if !link.isTaken, !link.isDead {
            watch.stop()
            watchForEnd(link)
        }
        link.watch = nil
        processFirst(link)
        MHD_resume_connection(link.handle)
        needsRun = true  // MHD_get_timeout does not tell of resumptions.
    }

    func suspendedClientLeft(_ link: Link) {
        guard !link.isTaken, !link.isDead else { return }
        let exchanges = [link.held, link.exchange]
        link.exchange = nil
        link.held = nil
        // What libmicrohttpd asks about this connection from now on is refused.
        link.isDead = true
        Sockets.reset(link.descriptor)
        link.watch?.stop()
        resume(link)
        needsRun = true
        for exchange in exchanges { exchange.map(clientLeft) }
    }

    // MARK: Other owners

    /// Takes the exchange's connection from whoever has it; nil when its client has left.
    func take(_ exchange: HTTPExchange) -> Int32? {
        defer { exchange.carrier = .none }
        switch exchange.carrier {
        case .none: return nil
        case .parser(let link): return take(link)
        case .ownAnswer(let answer):
            ownAnswers[ObjectIdentifier(answer)] = nil
            let descriptor = answer.release()
            guard let link = answer.link else { return descriptor }
            close(descriptor)
            return take(link)
        case .kept(let script):
            scripts[ObjectIdentifier(script)] = nil
            return script.release()
        }
    }

    /// Gives libmicrohttpd a dead socket in place of the connection. It closes that in its own time,
    /// whatever it was doing; the connection lives on under another descriptor.
    ///
    /// libmicrohttpd aborts when its epoll does not know what it takes out, so the dead socket is
    /// entered there exactly as the live one was. Source: its daemon.c, `MHD_cleanup_connections`.
    func take(_ link: Link) -> Int32? {
        guard !link.isTaken, !link.isDead else { return nil }
        comeBack(link)
        let copy = Sockets.duplicate(link.descriptor)
        guard copy >= 0 else { return nil }
        if let watch = link.watch { watch.stop() } else { loop.unwatch(link.descriptor) }
        loop.time?.serverOpened(copy)
        loop.time?.serverClosed(link.descriptor)
        link.isTaken = true
        if let next = link.exchange, next.stage == .queued { end(next, .open) }
        link.exchange = nil
        link.held = nil
        put(deadSocket, inPlaceOf: link)
        // Suspended it would never see that its end is dead.
        resume(link)
        return copy
    }

    /// From now on libmicrohttpd's descriptor of the connection means another socket.
    func put(_ socket: Int32, inPlaceOf link: Link) {
        var event = link.parserEvent
        let wasKnown = epoll_ctl(parserEpoll, EPOLL_CTL_DEL, link.descriptor, &event) == 0
        dup2(socket, link.descriptor)
        _ = fcntl(link.descriptor, F_SETFD, FD_CLOEXEC)
        if wasKnown {
            epoll_ctl(parserEpoll, EPOLL_CTL_ADD, link.descriptor, &event)
        }
        needsRun = true
    }

    func runScript(
        _ steps: [WireStep], on descriptor: Int32, _ id: ConnectionID, staysOpen: Bool = false
    ) {
        let script = makeScript(steps, on: descriptor, id, staysOpen: staysOpen) { _ in }
        script.run()
    }

    /// Carries out steps on the exchange's connection; false when its client has left.
    @discardableResult
    func runScript(
        _ steps: [WireStep], with exchange: HTTPExchange, staysOpen: Bool,
        ended: @escaping (HTTPExchange, ScriptedSocket.Ending) -> Void
    ) -> Bool {
        guard let descriptor = take(exchange) else { return false }
        let script = makeScript(
            steps, on: descriptor, exchange.connection, staysOpen: staysOpen
        ) { ended(exchange, $0) }
        // Not from inside libmicrohttpd, nor from inside a question to the handler.
        loop.post { script.run() }
        return true
    }

    func makeScript(
        _ steps: [WireStep], on descriptor: Int32, _ id: ConnectionID, staysOpen: Bool,
        ended: @escaping (ScriptedSocket.Ending) -> Void
    ) -> ScriptedSocket {
        let script = ScriptedSocket(
            descriptor, of: id, on: loop, peers: peers, steps: steps, staysOpen: staysOpen
        ) { [unowned self] script, ending in
            scripts[ObjectIdentifier(script)] = nil
            ended(ending)
            connectionEnded(id)
        }
        script.isMuted = muted.contains(id)
        scripts[ObjectIdentifier(script)] = script
        return script
    }

    /// The exchange is over: its connection serves the next one, or ends.
    func leaveConnection(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        switch exchange.carrier {
        case .none: break
        case .parser(let link):
            if link.exchange === exchange { link.exchange = nil }
            guard link.held === exchange else { break }
            link.held = nil
            if ending == .complete { obey(exchange.whenComplete, link) }
            if let next = link.exchange, next.stage == .queued { goOnLater(next) }
        case .ownAnswer(let answer)
        where ending == .complete && exchange.keepsConnection && exchange.whenComplete != .close:
            giveBack(exchange, answer)
        case .ownAnswer, .kept:
            guard !isStopping else { break }
            let steps: [WireStep] = [.finishSending, .drain, .close]
            runScript(steps, with: exchange, staysOpen: false) { _, _ in }
        }
        exchange.carrier = .none
    }
}
