import EventLoop
import StorageModel

// Connections that go dead while something flows on them.
extension HTTPEngine {
    /// Nothing more is read from the connection or sent on it, whoever has it, and the peer is not
    /// told. What the kernel has already been given for the peer stays where it is, but for a segment
    /// that is on its way.
    ///
    /// An exchange that stands at a point stays there: its handler decides when it goes on. Call it on
    /// the loop, not from inside a question to the handler.
    package func deaden(_ id: ConnectionID) {
        muted.insert(id)
        for script in scripts.values where script.connection == id { script.freeze() }
        let own = ownAnswers.values.filter { $0.exchange.connection == id }
        for answer in own {
            answer.mute()
            if !answer.exchange.isWaiting { silenceFlow(answer.exchange) }
        }
        let link = links.values.first { $0.id == id && !$0.isTaken && !$0.isDead }
        guard let link else { return }
        mute(link.descriptor)
        if let exchange = link.held ?? link.exchange {
            if !exchange.isWaiting, exchange.stage != .queued { silenceFlow(exchange) }
        } else if let descriptor = take(link) {
            runScript([], on: descriptor, id, staysOpen: true)
        }
    }

    func mute(_ descriptor: Int32) {
        Sockets.mute(descriptor)
        loop.time?.serverMuted(descriptor)
    }
}
