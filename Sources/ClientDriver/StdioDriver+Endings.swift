import EventLoop

// How a child comes to its end, and which scenario that is held against.
extension StdioDriver {
    /// The tail of what the child wrote to standard error: of the scenario that is running or was
    /// the last, or, where there is none yet, since the child was started.
    package var errorOutput: [UInt8] {
        child?.readErrorOutputNow()
        return errorLog.recent
    }

    /// How long the child has wanted to run so far while the machine did not let it.
    package var starvation: Duration { child?.starvation ?? .zero }

    package func takeAftermath() -> [ClientMisbehaviour] {
        defer { aftermath = [] }
        return aftermath
    }

    package func expire(_ limit: Duration, _ reply: @escaping () -> Void) {
        soon { [self] in listen(Patience(starvation), limit, reply) }
    }

    /// How long a client that talks, or is kept from it by the machine, is listened to when its time
    /// is over.
    private struct Patience {
        var starvation: Duration
        /// For so many pauses in which the machine lets the client run it is heard.
        private var credit = 50
        /// For so many pauses in which it talks, or a fifth as many in which it does not.
        private var rest = 250
        /// Since the last pause.
        var hasTalked = true

        init(_ starvation: Duration) { self.starvation = starvation }

        static let pause = Duration.milliseconds(20)

        /// True where it is worth another pause.
        mutating func goesOn(_ child: any ClientLink) -> Bool {
            let starved = child.starvation - starvation
            let isKept = starved > .zero || child.isRunnable
            guard credit > 0, rest > 0, hasTalked || isKept else { return false }
            starvation += starved
            if !isKept { credit -= 1 }
            rest -= hasTalked ? 1 : 5
            hasTalked = false
            return true
        }
    }

    /// Reads block by block, so that a client that talks without end is caught by its own limit.
    private func listen(_ patience: Patience, _ limit: Duration, _ reply: @escaping () -> Void) {
        guard let child, scenario?.misbehaviour == nil, !isChildDoomed else { return reply() }
        var next = patience
        if child.hasOutput {
            child.readBlock()
            next.hasTalked = true
            return soon { [self] in listen(next, limit, reply) }
        }
        if next.goesOn(child) {
            loop.realTimer(after: Patience.pause) { [self] in listen(next, limit, reply) }
            return
        }
        if child.isPipeClosed {
            misbehaved(closedPipe(child))
        } else if let label = calls.oldestUrgent {
            misbehaved(
                child.reasonForSilence()
                    ?? .overdue(command: label, deadline: limit, unfinished: unfinishedLine))
        }
        reply()
    }

    /// The child closed one of its pipes. One that ends does so just before: it gets time for that.
    func pipeEnded() {
        loop.realTimer(after: min(limits.lastWords, limits.end / 2)) { [weak self, weak child] in
            guard let self, let child, self.child === child, !isChildDoomed else { return }
            misbehaved(closedPipe(child))
        }
    }

    private func closedPipe(_ child: any ClientLink) -> ClientMisbehaviour {
        child.isOutputOpen
            ? .closedInput(command: calls.oldest) : .closedOutput(command: calls.oldest)
    }

    /// What the child says and how it ends is held against somebody.
    var isHeard: Bool { isTakingLeave || !isChildDoomed }

    func ended(_ ending: LinkEnding) {
        // Its input has ended, and nothing is due any more: but it is not to die of it.
        if isHeard, !isTakingLeave || child?.isTerminated == false { endedByItself(ending) }
        child = nil
        helloOfChild = nil
        (isChildDoomed, isTakingLeave) = (false, false)
        let waiting = whenGone
        whenGone = []
        for then in waiting { then() }
    }

    private func endedByItself(_ ending: LinkEnding) {
        let isBetweenScenarios = conversation.isIdle || standing.culprit == .doubtful
        switch ending {
        case .exited(let code):
            let rest = lines.unfinished
            if code == 0, !rest.isEmpty {
                misbehaved(
                    .garbage(
                        line: LineBuffer.quoted(rest),
                        problem: "it exited in the middle of the line"))
            } else if code == 0, isBetweenScenarios, whenReady.isEmpty {
                // A client may end after a scenario: it is started again for the next.
                calls.loseAll()
            } else {
                misbehaved(.exited(code: code, command: calls.oldest))
            }
        case .signalled(let signal): misbehaved(.crashed(signal: signal, command: calls.oldest))
        case .left where isBetweenScenarios && whenReady.isEmpty: calls.loseAll()
        case .left(let how):
            misbehaved(.left(how, command: helloOfChild == nil ? nil : calls.oldest))
        }
    }

    private var standing: Standing {
        Standing(
            hasSaidHello: helloOfChild != nil, hasServed: hasServed,
            stage: scenario?.stage ?? .none)
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        let culprit = standing.culprit
        (isChildDoomed, isTakingLeave) = (true, false)
        child?.readErrorOutputNow()
        recorders.noted("\(misbehaviour)")
        child?.blamed(misbehaviour)
        child?.terminate()
        switch culprit {
        case .greeting: becameReady(.failure(misbehaviour))
        case .first: early = misbehaviour
        case .before: aftermath.append(misbehaviour)
        case .doubtful: doubtful.append(misbehaviour)
        case .scenario: blame(misbehaviour)
        }
        calls.loseAll()
    }

    /// A fresh child was asked what the one before it did not live to answer.
    ///
    /// - Parameter isRepeated: whether it broke at the same question, and is blamed for that.
    func decideDoubt(isRepeated: Bool) {
        if !isRepeated { aftermath += doubtful }
        doubtful = []
    }

    func blame(_ misbehaviour: ClientMisbehaviour) {
        guard scenario != nil, scenario?.misbehaviour == nil else { return }
        scenario?.misbehaviour = misbehaviour
        scenario?.sink.misbehaved(misbehaviour)
    }

    /// Answers once nothing is left of a child that broke the protocol.
    func finishScenario(_ reply: @escaping (ClientReply) -> Void) {
        let finish = { [self] in
            scenario = nil
            child?.readErrorOutputNow()
            errorLog.close()
            reply(.result(.done))
        }
        if isChildDoomed, child != nil { whenGone.append(finish) } else { soon(finish) }
    }
}
