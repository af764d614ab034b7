import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// What clients do against the protocol, and whose fault it is.
extension MockServer {
    /// What came is no HTTP request: it stands in the journal all the same.
    func note(_ request: BrokenRequest) {
        var record = ExchangeRecord(
            ordinal: journal.count + 1, connection: request.connection.ordinal,
            operation: .unknown, method: "",
            target: request.target.map(RequestTarget.redacted) ?? "", start: loop.now)
        record.complaints = [Complaint(.brokenHTTP, sentence: request.sentence)]
        record.status = request.status
        tell(.head(record))
        record.end = loop.now
        record.ending = request.status == nil ? .disconnected : .complete
        _ = journal.append(record)
        tell(.end(record))
    }

    /// What the exchange broke of HTTP itself.
    func noteBrokenHTTP(_ run: ExchangeRun) {
        guard let rule = run.exchange.brokenRule else { return }
        run.record.complaints.append(Complaint(.brokenHTTP, sentence: rule))
        if let status = run.exchange.parserStatus { run.record.status = status }
    }

    /// The complaints about a call, but for those that a fault has led its client to.
    func complaints(about call: CallInProgress, of run: ExchangeRun) -> [Complaint] {
        // Of a request that is no HTTP nothing else is believed.
        if run.exchange.brokenRule != nil || run.altered != nil || isMisled(run) { return [] }
        return call.complaints
    }

    /// A client may have closed the connection of an earlier body whose bytes are not all read yet: then
    /// it sends one body at a time, as far as it can see to it.
    func endOverlappedOfThoseWhoLeft(_ run: ExchangeRun) {
        guard let session = run.call?.session else { return }
        for other in runs.values
        where other !== run && other.call?.session === session && other.exchange.isClosedByPeer {
            other.call?.clientLeft()
        }
    }

    /// A query came while a body of its session is under way: by the settings, that ends.
    func breakOverlapped(by query: ExchangeRun) {
        guard settings.overlappingQuery == .resetBody, let session = query.call?.session else {
            return
        }
        for other in runs.values.sorted(by: { $0.record.ordinal < $1.record.ordinal })
        where other !== query && other.call?.session === session && !other.isSettled
            && other.record.operation.carriesObjectBytes
        {
            other.exchange.breakOff(.reset)
        }
    }

    /// Remembers the URLs that a fault has told in place of the backend's.
    func noteForgedURLs(in headers: HTTPHeaders) {
        for name in ["Location", "X-Goog-Upload-URL", "X-Goog-Upload-Control-URL"] {
            for value in headers.values(of: name) where forgedTargets.count < Self.forgedLimit {
                forgedTargets.insert(Self.originForm(value))
            }
        }
    }

    private func isMisled(_ run: ExchangeRun) -> Bool {
        !forgedTargets.isEmpty && forgedTargets.contains(Self.originForm(run.exchange.head.target))
    }

    /// Enough for any scenario; more are not remembered.
    private static let forgedLimit = 10_000

    /// Path and query of a URL.
    static func originForm(_ url: String) -> String {
        guard !url.hasPrefix("/"), let colon = url.firstIndex(of: ":") else { return url }
        let rest = url[url.index(after: colon)...].drop { $0 == "/" }
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}
