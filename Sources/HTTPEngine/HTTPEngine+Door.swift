import EventLoop

extension HTTPEngine {
    /// Bytes of a download that are sent without passing the door again.
    static let pieceSize: Int64 = 65536

    var usesDoor: Bool { loop.time != nil }

    func isDoorDue(_ exchange: HTTPExchange) -> Bool {
        usesDoor && exchange.isResponseHeadSent && exchange.sent >= exchange.doorOffset
            && exchange.sent < exchange.responseLength
    }

    func standAtDoor(_ exchange: HTTPExchange) {
        exchange.isWaiting = true
        exchange.isAtDoor = true
        door.add(exchange)
    }

    func admitNext() {
        guard let handler, let exchange = door.takeFirst({ handler.doorKey($0) }) else { return }
        exchange.isAtDoor = false
        if exchange.stage == .door {
            exchange.stage = .head
            if exchange.isClientGone { return enterAlone(exchange) }
        }
        goOnLater(exchange)
    }

    /// Its client left while it stood at the door: the head is told first, then the leaving.
    private func enterAlone(_ exchange: HTTPExchange) {
        exchange.isWaiting = false
        exchange.isClientGone = false
        _ = walk(exchange)
        clientLeft(exchange)
    }
}
