import CEpoll
import CMicroHTTPD
import EventLoop
import Glibc
import StorageModel

/// A request that is no HTTP, so that there never was an exchange.
package struct BrokenRequest: Hashable, Sendable {
    package let connection: ConnectionID
    /// The raw target, where the request line was whole.
    package let target: String?
    /// Of the page that the client got; nil: its connection was closed without an answer.
    package let status: Int?

    /// Which rule the client broke, as far as it is known.
    package var sentence: String {
        switch (status, target) {
        case (nil, _): "What came is no HTTP request: the connection was closed without an answer."
        case (414?, _): "The request line is longer than any that is read."
        case (431?, _): "The head of the request is larger than any that is read."
        case (505?, _): "The request line names no version of HTTP that is spoken here."
        case (let status?, nil): "The request line is malformed (\(status))."
        case (let status?, _?): "The fields of the request's head are malformed (\(status))."
        }
    }
}

// What libmicrohttpd refuses by itself: it sends a page and closes the connection, and tells nobody
// but its log.
extension HTTPEngine {
    /// A line of libmicrohttpd's log; the status that a refusal in it names is remembered.
    func heardLog(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) {
        // Source: its connection.c, `transmit_error_response_len`.
        let wanted = "Error processing request"
        guard strncmp(format, wanted, wanted.utf8.count) == 0 else { return }
        var line = [CChar](repeating: 0, count: 200)
        vsnprintf(&line, line.count - 1, format, arguments)
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber }
        parserRefusals.append(Int(digits) ?? 400)
    }

    /// Its page was sent to a request whose line, but not whose head, was taken.
    func refusedByParser(_ link: Link) {
        link.isRefused = true
        report(link.id, target: link.headlessTarget, status: parserRefusals.popLast())
    }

    /// Its page was sent in the middle of a body.
    func bodyRefusedByParser(_ exchange: HTTPExchange) {
        exchange.brokenRule = "The body of the request is malformed: its chunks are none."
        exchange.parserStatus = parserRefusals.popLast()
        end(exchange, .complete)
    }

    /// It closes a connection whose client has not left, and of which no request was ever taken; or
    /// it sent its page to what is no request line.
    func closedByParser(_ link: Link) {
        guard !isStopping, !link.isRefused, !link.isDead, link.exchange == nil, link.held == nil
        else { return }
        guard !Self.hasLeft(link.descriptor) else {
            // Perhaps it had a page before.
            if !parserRefusals.isEmpty { leftInThisTurn.append(link.id) }
            return
        }
        if let status = parserRefusals.first {
            parserRefusals.removeFirst()
            report(link.id, target: link.headlessTarget, status: status)
        } else if link.heads == 0 {
            report(link.id, target: nil, status: nil)
        }
    }

    /// After libmicrohttpd has had its turn: pages whose clients had left when the connection closed.
    func forgetRefusals() {
        guard !parserRefusals.isEmpty || !leftInThisTurn.isEmpty else { return }
        for (status, id) in zip(parserRefusals, leftInThisTurn) {
            report(id, target: nil, status: status)
        }
        parserRefusals = []
        leftInThisTurn = []
    }

    private func report(_ connection: ConnectionID, target: String?, status: Int?) {
        handler?.refused(BrokenRequest(connection: connection, target: target, status: status))
    }

    private static func hasLeft(_ descriptor: Int32) -> Bool {
        var query = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        return poll(&query, 1, 0) > 0
    }
}
