import CMicroHTTPD
import EventLoop
import Glibc
import StorageModel

// Answers that we write while libmicrohttpd keeps the connection.
//
// It goes on reading the request, and with it whatever the client has sent behind that. When both the
// request and our answer are complete it writes an answer of its own, into a socket that nobody reads.
// So it takes the connection for answered, and the next request is found wherever its bytes are.
extension HTTPEngine {
    /// From here on the answer is ours. Where there are no more descriptors the client is left alone.
    func answerAside(_ exchange: HTTPExchange, _ link: Link) {
        let copy = Sockets.duplicate(link.descriptor)
        guard copy >= 0, !link.isTaken, !link.isDead else {
            if copy >= 0 { close(copy) }
            exchange.carrier = .none
            return
        }
        link.aside = .answering
        add(OwnAnswer(copy, exchange, self, beside: link))
    }

    /// Bytes of a request that is answered already, or none: it is whole.
    func passBy(
        _ link: Link, _ data: UnsafeRawBufferPointer, taken: (Int) -> Void
    ) -> MHD_Result {
        guard data.isEmpty else {
            taken(data.count)
            return .YES
        }
        switch link.aside {
        case .answering: return stay(link)
        case .answered: return answerIntoNothing(link)
        case .no, .away: return .NO
        }
    }

    /// Our answer is out whole, and its exchange is over.
    func giveBack(_ exchange: HTTPExchange, _ answer: OwnAnswer) {
        guard let link = answer.link else { return }
        answer.stop()
        if link.exchange === exchange { link.exchange = nil }
        link.aside = .answered
        link.closesAtNext = exchange.whenComplete == .closeAtNext
        resume(link)
    }

    private func answerIntoNothing(_ link: Link) -> MHD_Result {
        guard let made = ParserAnswer.make(of: []) else { return .NO }
        defer { MHD_destroy_response(made) }
        let copy = Sockets.duplicate(link.descriptor)
        guard copy >= 0 else { return .NO }
        loop.unwatch(link.descriptor)
        put(sink.near, inPlaceOf: link)
        link.aside = .away(copy)
        return MHD_queue_response(link.handle, 200, made)
    }

    /// libmicrohttpd has written its answer into nothing, or given up: its descriptor is the connection
    /// again.
    func comeBack(_ link: Link) {
        guard case .away(let copy) = link.aside else { return }
        link.aside = .no
        put(copy, inPlaceOf: link)
        close(copy)
        _ = ScriptedSocket.discard(sink.far)
        if link.closesAtNext { closeAtNext(link) } else { watchForEnd(link) }
    }
}

extension HTTPEngine {
    func sendBeforeAnswer(_ bytes: [UInt8], of exchange: HTTPExchange) -> Bool {
        switch exchange.stage {
        case .head, .requestBody, .requestEnd, .responseHead: break
        case .queued, .door, .responseBody, .responseEnd, .silent, .over: return false
        }
        var rest = bytes[...]
        guard !exchange.isClientGone else { return false }
        if exchange.form.lead.isEmpty, let descriptor = exchange.descriptor {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Sockets.noSignal)
            }
            rest = rest.dropFirst(max(0, count))
        }
        exchange.form.lead += rest
        return true
    }
}

extension HTTPExchange {
    /// The connection, while nothing waits there to be sent.
    fileprivate var descriptor: Int32? {
        switch carrier {
        case .parser(let link): link.isDead ? nil : link.descriptor
        case .ownAnswer(let answer): answer.descriptor
        case .kept, .none: nil
        }
    }
}
