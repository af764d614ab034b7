import StorageModel

/// One request on its way.
final class DialInCall: @unchecked Sendable {
    // Invariant: confined to the loop.
    let route: DialInRoute
    let method: String
    let target: RequestTarget
    /// Bytes that its body may have.
    let limit: Int64
    /// Of the routes below a session.
    let session: DialInSession?
    var body: [UInt8] = []
    /// Takes the body of a file instead of `body`.
    var incoming: IncomingFile?
    /// What the exchange is answered with once it goes on.
    var answer: HTTPResponse?

    init(
        _ route: DialInRoute, _ head: HTTPRequestHead, session: DialInSession?, limit: Int64
    ) {
        self.route = route
        method = head.method
        target = RequestTarget(head.target)
        self.session = session
        self.limit = limit
    }

    /// A whole number from 0 of the query.
    func number(_ name: String) -> Int? {
        target.first(name).flatMap { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
    }
}
