import HTTPEngine
import StorageModel
import StorageWire

/// What heads that came lately mean, so that one that comes again is not read again.
struct KnownCalls {
    /// Everything that follows from a head alone.
    struct Entry {
        let number: Int
        let wire: WireCall
        /// As the journal shows them.
        let target: String
        let headers: HTTPHeaders
    }

    private static let size = 64

    private var entries = [Entry?](repeating: nil, count: KnownCalls.size)

    /// The numbers of an engine's heads are its own.
    mutating func forget() { entries = [Entry?](repeating: nil, count: Self.size) }

    mutating func entry(for exchange: HTTPExchange, _ dialect: FirebaseDialect) -> Entry {
        let slot = exchange.headNumber % Self.size
        if let known = entries[slot], known.number == exchange.headNumber { return known }
        let head = exchange.head
        let fresh = Entry(
            number: exchange.headNumber, wire: dialect.classify(head),
            target: RequestTarget.redacted(head.target), headers: head.headers.redacted)
        entries[slot] = fresh
        return fresh
    }
}
