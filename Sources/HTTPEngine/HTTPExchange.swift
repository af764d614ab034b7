import EventLoop
package import StorageModel

/// What becomes of a connection after an exchange that is complete.
package enum WhenComplete: Hashable, Sendable {
    case keep
    /// FIN, without a word in the answer.
    case close
    /// FIN as soon as bytes of a next request come, before anything is answered.
    case closeAtNext
}

/// One request and its answer. It outlives the connection it came on.
package final class HTTPExchange: @unchecked Sendable {
    // Invariant: confined to the engine's loop.

    /// Where in its life an exchange is.
    enum Stage {
        /// An earlier exchange of its connection is not over yet.
        case queued
        case door
        case head
        case requestBody
        case requestEnd
        case responseHead
        case responseBody
        case responseEnd
        case silent
        case over
    }

    /// Who has the connection.
    enum Carrier {
        /// libmicrohttpd.
        case parser(Link)
        case ownAnswer(OwnAnswer)
        /// libmicrohttpd has closed its end after the answer, the handler has not let go.
        case kept(ScriptedSocket)
        /// Nobody: the client has left.
        case none
    }

    /// 1, 2, ... in the order in which heads were read.
    package let ordinal: Int
    package let connection: ConnectionID
    /// True when an earlier exchange used the same connection.
    package let isReused: Bool
    package let head: HTTPRequestHead
    /// Exchanges of one engine with the same number have the same head.
    package let headNumber: Int
    /// The answer that the engine gives by itself, because the request is broken or too large, unless
    /// the handler decides otherwise at `head`.
    package internal(set) var refusal: HTTPResponse?
    /// Which rule of HTTP the client broke with this request, in one sentence; nil: none so far.
    package internal(set) var brokenRule: String?
    /// Status of the page that the parser sent because the body was broken.
    package internal(set) var parserStatus: Int?
    /// Request body bytes given to the handler.
    package internal(set) var received: Int64 = 0
    /// Response body bytes handed to the kernel. A body in memory that goes out without a stop is
    /// counted when it is out whole.
    package internal(set) var sent: Int64 = 0
    package internal(set) var isClientGone = false
    /// Request body offsets at which the exchange stops, in ascending order; may be changed at any
    /// time. 0 and the body's length are stops too, those beyond the body have no effect, and those
    /// passed are taken out.
    package var requestStops: [Int64] = []
    /// The same for the bytes of the answer's body. In a chunked answer the stop at its length comes
    /// before the last chunk. The first must be there by the end of `responseHead`.
    package var responseStops: [Int64] = []
    /// The answer, once it is known; may be changed until the end of `responseHead`.
    package var response: HTTPResponse?
    /// True: the answer says `Connection: close`, and the connection is closed after it.
    package var closesConnection = false
    /// What is unusual about the answer on the wire; may be changed as long as `response`.
    package var form = AnswerForm()
    /// What becomes of a connection that could serve a next request, once the exchange is complete.
    package var whenComplete = WhenComplete.keep
    /// For the handler's own use.
    package var state: AnyObject?

    /// Sends an interim answer at once. What does not fit into the connection at the moment goes out
    /// before the answer's head. Source: RFC 9110 section 15.2.
    ///
    /// - Parameter status: from 100 to 199.
    /// - Returns: false when the client has left, or something of the answer was sent.
    @discardableResult
    package func sendInterim(status: Int, headers: HTTPHeaders) -> Bool {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        let line = "HTTP/1.1 \(status) \(ParserAnswer.usualReason(status))\r\n"
        return engine?.sendBeforeAnswer(Array((line + fields + "\r\n").utf8), of: self) ?? false
    }

    /// Whether the client has closed its end of the connection, also where what it sent before that is
    /// not read yet.
    package var isClosedByPeer: Bool { engine?.isClosedByPeer(self) ?? isClientGone }

    weak var engine: HTTPEngine?
    var stage = Stage.head
    var carrier = Carrier.none
    /// Stands at a point, or at the door, until it is told to go on.
    var isWaiting = false
    var isAtDoor = false
    /// `interrupted` is to be asked before anything else.
    var isInterrupted = false
    /// Its head is being read slowly.
    var headTimer: LoopTimer?
    /// The handler has heard of it.
    var isReported = false
    /// Nothing of the request's body is left to read.
    package internal(set) var isBodyWhole = false
    /// Where the request ends is not known.
    var isFramingUnsure = false
    /// An answer of our own left the connection fit for the next request.
    var keepsConnection = false
    /// The whole head of the answer was handed to the kernel.
    var isResponseHeadSent = false
    /// Offset of the answer's body before which the exchange has to pass the door; virtual time only.
    var doorOffset = Int64.max
    private var passedRequestStop: Int64 = -1
    private var passedResponseStop: Int64 = -1

    init(
        ordinal: Int, connection: ConnectionID, isReused: Bool, head: HTTPRequestHead,
        headNumber: Int, refusal: HTTPResponse? = nil
    ) {
        self.ordinal = ordinal
        self.connection = connection
        self.isReused = isReused
        self.head = head
        self.headNumber = headNumber
        self.refusal = refusal
    }

    /// Asks the point again at which the exchange waits; without effect on one that does not wait.
    /// Call it on the loop, not while the point is being asked. The question comes later in the same
    /// turn, never during this call.
    package func proceed() {
        guard isWaiting, !isAtDoor else { return }
        engine?.goOnLater(self)
    }

    /// Ends the connection, wherever the exchange stands; it is over when this returns. Call it on the
    /// loop, not while this exchange is being asked about.
    package func breakOff(_ how: Disconnection) { engine?.breakOff(self, how) }

    // MARK: Points

    /// The point at which the handler is to be asked now; nil: something has to flow first.
    var duePoint: ExchangePoint? {
        if isInterrupted { return .interrupted }
        return switch stage {
        case .head: .head
        case .requestBody:
            nextRequestStop.flatMap { $0 == received ? .requestBody($0) : nil }
        case .requestEnd: .requestEnd
        case .responseHead: .responseHead
        case .responseBody: dueResponseStop
        case .responseEnd: dueResponseStop ?? .responseEnd
        case .queued, .door, .silent, .over: nil
        }
    }

    private var dueResponseStop: ExchangePoint? {
        guard isResponseHeadSent, let stop = nextResponseStop, stop == sent else { return nil }
        return .responseBody(stop)
    }

    /// The first request stop that was not passed, at or behind what was received.
    var nextRequestStop: Int64? {
        requestStops.first { $0 > passedRequestStop && $0 >= received }
    }

    var nextResponseStop: Int64? {
        responseStops.first { $0 > passedResponseStop && $0 >= sent }
    }

    /// The point is done with; the next one begins.
    func pass(_ point: ExchangePoint) {
        switch point {
        case .head: stage = .requestBody
        case .requestBody(let offset):
            passedRequestStop = offset
            requestStops.removeAll { $0 <= offset }
        case .requestEnd:
            if response == nil { response = .noAnswer }
            stage = .responseHead
        case .responseHead:
            if response == nil { response = .noAnswer }
            stage = .responseBody
        case .responseBody(let offset):
            passedResponseStop = offset
            responseStops.removeAll { $0 <= offset }
        case .responseEnd: break
        case .interrupted: isInterrupted = false
        }
    }

    /// The length of the answer's body as it goes over the wire.
    var responseLength: Int64 {
        guard let response, head.method != "HEAD", form.script == nil else { return 0 }
        return [204, 304].contains(response.status) ? 0 : response.body.count
    }
}
