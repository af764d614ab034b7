import ClientDriver
import EventLoop
import HTTPEngine
import StorageModel

/// The HTTP side of dialing in: one client at a time, and the page that a browser is given.
///
/// `Conformance/PROTOCOL.md`, "Dial-in", is its page.
final class DialInPort: ExchangeHandler, @unchecked Sendable {
    // Invariant: confined to the loop.
    let loop: EventLoop
    let options: DialInOptions
    private let page: DialInPage
    private var engine: HTTPEngine?
    private var number: UInt16 = 0
    private var session: DialInSession?
    private var link: DialInLink?
    /// Nobody has come for as long as is waited: nobody is waited for again.
    var hasWaitedInVain = false
    /// What of the scenario's files the client may see.
    var files = DialInFiles()
    /// Requests under way, and who waits for their end.
    private var requests = 0
    private var whenQuiet: (() -> Void)?

    init(loop: EventLoop, options: DialInOptions) {
        self.loop = loop
        self.options = options
        page = DialInPage(options: options)
    }

    /// Listens, where it does not yet.
    func start() throws(LinkFailure) {
        guard engine == nil else { return }
        var limits = EngineLimits()
        limits.connections = 64
        limits.patience = .seconds(30)
        let engine = HTTPEngine(loop: loop, handler: self, limits: limits)
        do throws(HTTPEngineError) {
            number = try engine.start(host: options.host, port: options.port)
        } catch {
            throw LinkFailure(problem: error.description)
        }
        self.engine = engine
    }

    /// Ends every connection, those that are being answered a little later.
    func stop(_ done: @escaping () -> Void) {
        let finish = { [self] in
            whenQuiet = nil
            engine?.stop()
            engine = nil
            done()
        }
        session?.end("this run is over")
        guard requests > 0 else { return finish() }
        let timer = loop.realTimer(after: options.limits.farewell, finish)
        whenQuiet = { [loop] in
            loop.cancel(timer)
            // Not from inside a call of the engine.
            loop.realTimer(after: .zero, finish)
        }
    }

    /// Where to dial in.
    func url(key: String?) -> String {
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        return "http://\(host):\(number)/" + (key.map { "?key=\($0)" } ?? "")
    }

    // MARK: Links and sessions

    func open(_ owner: AnyObject) throws(LinkFailure) -> DialInLink {
        try start()
        let link = try DialInLink(
            port: self, owner: owner, wait: hasWaitedInVain ? .zero : options.limits.wait)
        self.link = link
        if let session, session.ending == nil, options.open == nil { link.bind(session) }
        return link
    }

    func ended(_ link: DialInLink) {
        if self.link === link { self.link = nil }
    }

    /// Whether a client waits for somebody to talk to it.
    private func begin(_ call: DialInCall) -> HTTPResponse {
        let given = call.body.isEmpty ? JSONValue.object([]) : JSONValue(parsing: call.body)
        guard case .object(let members)? = given else {
            return DialInAnswer.error(400, "the body is a JSON object, or nothing")
        }
        func text(_ name: String) -> String? {
            members.first { $0.name == name }?.value.scalarText
        }
        if options.open != nil, text("key") == nil || text("key") != link?.key {
            return DialInAnswer.error(
                403, "this run takes only the client that it opens itself: its 'key' is wrong")
        }
        if let session, session.ending == nil {
            let isSame = text("client") != nil && session.client == text("client")
            guard isSame || !session.isPresent else {
                return DialInAnswer.error(409, "another client is dialed in")
            }
            replace(session)
        }
        let session = DialInSession(loop, client: text("client"), limits: options.limits)
        self.session = session
        if let link, link.canStartOver { link.bind(session) }
        let wait = options.limits.poll.nanoseconds / 1_000_000
        return DialInAnswer.json("{\"pollMs\":\(wait),\"session\":\"\(session.id)\"}")
    }

    private func replace(_ session: DialInSession) {
        session.end("a new session has taken its place")
        guard let link = session.link, !link.canStartOver else { return }
        link.lose("left the session that it was in, and began another one")
    }

    // MARK: Requests

    func accepted(_ connection: ConnectionID) -> AcceptVerdict { .proceed }

    func closed(_ connection: ConnectionID) {}

    func clientLeft(_ exchange: HTTPExchange) {
        (exchange.state as? DialInCall)?.session?.connectionBroke(exchange)
    }

    func doorKey(_ exchange: HTTPExchange) -> DoorKey {
        DoorKey(lane: "dial-in", number: exchange.ordinal)
    }

    func ended(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        guard let call = exchange.state as? DialInCall else { return }
        exchange.state = nil
        call.session?.requestEnded(exchange)
        requests -= 1
        if requests == 0 { whenQuiet?() }
    }

    func received(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) {
        guard let call = exchange.state as? DialInCall else { return }
        if let file = call.incoming { file.append(bytes) } else { call.body += bytes }
    }

    func reached(_ exchange: HTTPExchange, _ point: ExchangePoint) -> ExchangeVerdict {
        switch point {
        case .head:
            if let refusal = take(exchange) { return .respond(refusal) }
            return .proceed
        case .requestBody(let offset):
            guard let call = exchange.state as? DialInCall, offset > call.limit else {
                return .proceed
            }
            return .respond(tooLarge(call))
        case .requestEnd:
            guard let call = exchange.state as? DialInCall else {
                return .respond(DialInAnswer.error(500, "the request was not taken up"))
            }
            if let answer = call.answer { return .respond(answer) }
            return perform(call, exchange).map(ExchangeVerdict.respond) ?? .wait
        case .responseHead, .responseBody, .responseEnd, .interrupted: return .proceed
        }
    }

    /// Looks at the head; the answer for one that is refused.
    private func take(_ exchange: HTTPExchange) -> HTTPResponse? {
        let head = exchange.head
        if let refusal = exchange.refusal { return refusal }
        guard DialInHost(host: options.host, port: number).isOwn(head) else {
            return DialInAnswer.error(403, "Host must be this machine's, with the port \(number)")
        }
        if head.method == "OPTIONS" { return DialInAnswer.preflight(head) }
        let route = DialInRoute(RequestTarget(head.target))
        if route == .unknown { return DialInAnswer.error(404, "there is nothing of that name") }
        guard route.takes(head.method) else { return DialInAnswer.wrongMethod(route.allowed) }
        let session = route.session.flatMap { $0 == self.session?.id ? self.session : nil }
        if route.session != nil, session == nil {
            return DialInAnswer.error(404, "there is no such session: begin one with POST /session")
        }
        let call = DialInCall(route, head, session: session, limit: limit(route))
        if let length = head.contentLength, length > call.limit { return tooLarge(call) }
        if let refusal = stage(call) { return refusal }
        exchange.requestStops = [call.limit + 1]
        exchange.state = call
        requests += 1
        session?.requestBegan()
        return nil
    }

    private func limit(_ route: DialInRoute) -> Int64 {
        switch route {
        case .reports: options.limits.reports
        case .log: options.limits.log
        case .file: options.limits.file
        case .root, .page, .begin, .commands, .unknown: 4096
        }
    }

    private func tooLarge(_ call: DialInCall) -> HTTPResponse {
        if case .reports = call.route {
            call.session?.link?.lose("posted more than \(call.limit) bytes of reports at once")
        }
        return call.session?.over
            ?? DialInAnswer.error(
                413, "the body is larger than \(call.limit) bytes, the limit here")
    }
}

// What each route does.
extension DialInPort {
    /// Nil: the exchange waits for its answer.
    private func perform(_ call: DialInCall, _ exchange: HTTPExchange) -> HTTPResponse? {
        switch (call.route, call.session) {
        case (.root, _): page.root(exchange.head.target)
        case (.page(let folder, let name), _): page.answer(folder, name)
        case (.begin, _): begin(call)
        case (.commands, let session?): commands(call, session, exchange)
        case (.reports, let session?): reports(call, session)
        case (.log, let session?): log(call, session)
        case (.file(_, let path), let session?): file(call, session, path)
        case (.commands, nil), (.reports, nil), (.log, nil), (.file, nil), (.unknown, _):
            DialInAnswer.error(404, "there is nothing of that name")
        }
    }

    private func commands(
        _ call: DialInCall, _ session: DialInSession, _ exchange: HTTPExchange
    ) -> HTTPResponse? {
        guard let after = call.number("after") else { return broke(session, "after") }
        do throws(DialInSession.Mistake) {
            return try session.commands(after: after, for: exchange)
        } catch {
            return broke(session, error)
        }
    }

    private func reports(_ call: DialInCall, _ session: DialInSession) -> HTTPResponse {
        guard let first = call.number("first") else { return broke(session, "first") }
        do throws(DialInSession.Mistake) {
            return try session.take(call.body, first: first)
        } catch {
            return broke(session, error)
        }
    }

    private func broke(_ session: DialInSession, _ parameter: String) -> HTTPResponse {
        let sentence = "asked without the number '\(parameter)' in the query"
        return broke(session, DialInSession.Mistake(sentence: sentence))
    }

    private func broke(_ session: DialInSession, _ mistake: DialInSession.Mistake) -> HTTPResponse {
        if let link = session.link { link.lose(mistake.sentence) }
        session.end("the client \(mistake.sentence)")
        return session.over ?? DialInAnswer.error(400, mistake.sentence)
    }

    private func log(_ call: DialInCall, _ session: DialInSession) -> HTTPResponse {
        if let over = session.over { return over }
        session.link?.log(call.body)
        return DialInAnswer.json("{}")
    }

    // MARK: Files

    /// Makes room for a file that comes in.
    private func stage(_ call: DialInCall) -> HTTPResponse? {
        guard call.method == "PUT", case .file(_, let path) = call.route else { return nil }
        if let over = call.session?.over { return over }
        do throws(DialInFiles.Refusal) {
            call.incoming = try files.write(path, limit: call.limit)
            return nil
        } catch {
            return DialInAnswer.error(error.status, error.message)
        }
    }

    private func file(
        _ call: DialInCall, _ session: DialInSession, _ path: String
    ) -> HTTPResponse {
        if let over = session.over { return over }
        if let incoming = call.incoming {
            let problem = incoming.finish()
            return problem.map { DialInAnswer.error(500, "\(path): \($0)") }
                ?? DialInAnswer.json("{}")
        }
        do throws(DialInFiles.Refusal) {
            return DialInAnswer.body(try files.read(path), type: "application/octet-stream")
        } catch {
            return DialInAnswer.error(error.status, error.message)
        }
    }
}
