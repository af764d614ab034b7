import EventLoop
import ObjectStore
import StorageModel

/// One request to the control API on its way.
final class ControlCall: @unchecked Sendable {
    // Invariant: confined to the loop.
    let route: ControlRoute
    let method: String
    let target: RequestTarget
    let contentType: String?
    private let parameters: [String: String]
    /// Bytes that its body may have.
    let limit: Int64
    var body: [UInt8] = []
    /// Takes the body of an object that is put, instead of `body`.
    var staged: StagedBody?
    /// When the last part of its body came, by the machine's clock.
    var lastBytes: Int64 = EventLoop.monotonic()
    /// Ends the waiting for the rest of its body.
    var timer: LoopTimer?

    init(
        _ route: ControlRoute, _ parameters: [String: String], _ head: HTTPRequestHead,
        limit: Int64
    ) {
        self.route = route
        self.parameters = parameters
        self.limit = limit
        method = head.method
        target = RequestTarget(head.target)
        contentType = head.headers["Content-Type"]
    }

    /// How long nothing of its body has come.
    var silence: Duration { .nanoseconds(EventLoop.monotonic() - lastBytes) }

    /// A part of the path; the route says that it is there.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    func query(_ name: String) -> String? { target.first(name) }

    /// The media type without its parameters, in small letters.
    var mediaType: String? {
        contentType?.split(separator: ";").first?.lowercased().filter { $0 != " " }
    }

    /// Refuses keys of the query that mean nothing here; nil: there are none.
    func unknownQuery(_ known: [String], prefixes: [String] = []) -> HTTPResponse? {
        let bad = target.query.first { item in
            !known.contains(item.name) && !prefixes.contains { item.name.hasPrefix($0) }
        }
        guard let bad else { return nil }
        let near = Spelling.nearest(to: bad.name, among: known + prefixes)
        return ControlAnswer.error(
            400, "the query has no '\(bad.name)' here",
            ["path": .string("?" + bad.name), "suggestion": near.map(JSONValue.string)])
    }
}
