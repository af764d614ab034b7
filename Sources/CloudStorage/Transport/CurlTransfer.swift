internal import CCurl
internal import CEpoll
internal import EventLoop
internal import Glibc
internal import StorageModel

/// One exchange: an easy handle of libcurl. Confined to the transport's loop, as its sink is.
final class CurlTransfer: @unchecked Sendable {
    let id: Int
    let easy: UnsafeMutableRawPointer?
    let request: TransportRequest
    let sink: any TransportSink
    var idleTimer: LoopTimer?
    /// The socket that libcurl waits on for this exchange.
    var descriptor: Int32?
    private unowned let transport: CurlTransport
    private let began: Duration
    private var lastByte: Duration
    private var isConnected = false
    /// Bytes in the kernel's send queue at the last look.
    private var lastUnsent: Int32?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var offset: Int64 = 0
    private var parser = HeadParser()
    private var sourceFailed = false
    private var isGivenUp = false
    /// The sink was full, and libcurl waits for `goOn`.
    private(set) var isHeld = false
    /// How often libcurl was about to send the request: twice would be a hidden resend.
    private var attempts = 0

    init(
        id: Int, request: TransportRequest, sink: any TransportSink, transport: CurlTransport
    ) {
        self.id = id
        self.request = request
        self.sink = sink
        self.transport = transport
        easy = curl_easy_init()
        began = transport.loop.now
        lastByte = began
        errorText[0] = 0
    }

    deinit { errorText.deallocate() }

    /// When the exchange is given up if nothing moves until then.
    var deadline: Duration {
        if isHeld { return transport.loop.now + request.idleTimeout }
        return isConnected
            ? lastByte + request.idleTimeout
            : began + min(request.idleTimeout, request.connectTimeout)
    }

    /// How often the send queue is looked at.
    var lookInterval: Duration {
        request.body.length > 0 ? max(request.idleTimeout / 4, .milliseconds(1)) : .seconds(86_400)
    }

    /// The kernel takes megabytes at once and sends them slowly: a queue that shrinks is no silence.
    func lookAtSendQueue() {
        guard request.body.length > 0, isConnected, let descriptor else { return }
        let unsent = cepoll_unsent(descriptor)
        if let before = lastUnsent, unsent < before { lastByte = transport.loop.now }
        lastUnsent = unsent
    }

    func cleanUp() {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headerList)
        headerList = nil
    }

    // MARK: Settings

    func configure() {
        guard let easy else { return }
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_set_text(easy, CURLOPT_URL, request.url)
        _ = ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        if let file = request.authorityFile { _ = ccurl_set_text(easy, CURLOPT_CAINFO, file) }
        _ = ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = ccurl_set_text(easy, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
        _ = ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // As given, byte for byte: paths must not be tidied up.
        _ = ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        _ = ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 262_144)
        _ = ccurl_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, 262_144)
        // Time limits are ours, on the loop's clock.
        _ = ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT, 86_400)
        _ = ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        for field in request.headers.fields {
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            headerList = curl_slist_append(headerList, line)
        }
        headerList = curl_slist_append(headerList, "Expect:")
        _ = ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
        configureBody(easy, me)
        configureAnswer(easy, me)
        transport.configureSockets(of: easy)
        _ = ccurl_set_prereq(easy) { user, _, _, _, _ in
            CurlTransfer.from(user)?.willSend() ?? CURL_PREREQFUNC_ABORT
        }
        _ = ccurl_set_pointer(easy, CURLOPT_PREREQDATA, me)
    }

    private func configureBody(_ easy: UnsafeMutableRawPointer, _ me: UnsafeMutableRawPointer) {
        if case .none = request.body {
            if request.method == "POST" || request.method == "PUT" || request.method == "PATCH" {
                _ = ccurl_set_long(easy, CURLOPT_POST, 1)
                _ = ccurl_set_off(easy, CURLOPT_POSTFIELDSIZE_LARGE, 0)
                headerList = curl_slist_append(headerList, "Content-Type:")
                _ = ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
            }
            _ = ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
            return
        }
        _ = ccurl_set_long(easy, CURLOPT_UPLOAD, 1)
        _ = ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
        _ = ccurl_set_off(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.length))
        _ = ccurl_set_data(easy, CURLOPT_READFUNCTION) { bytes, size, count, user in
            guard let transfer = CurlTransfer.from(user) else { return ccurl_read_abort }
            return transfer.read(
                UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        _ = ccurl_set_pointer(easy, CURLOPT_READDATA, me)
        _ = ccurl_set_seek(easy) { user, offset, origin in
            guard origin == SEEK_SET, let transfer = CurlTransfer.from(user) else { return 2 }
            transfer.offset = Int64(offset)
            return 0
        }
        _ = ccurl_set_pointer(easy, CURLOPT_SEEKDATA, me)
    }

    private func configureAnswer(_ easy: UnsafeMutableRawPointer, _ me: UnsafeMutableRawPointer) {
        if request.method == "HEAD" { _ = ccurl_set_long(easy, CURLOPT_NOBODY, 1) }
        _ = ccurl_set_data(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, user in
            guard let transfer = CurlTransfer.from(user) else { return ccurl_write_pause }
            return transfer.write(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        _ = ccurl_set_pointer(easy, CURLOPT_WRITEDATA, me)
        _ = ccurl_set_data(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, user in
            CurlTransfer.from(user)?.header(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
        _ = ccurl_set_pointer(easy, CURLOPT_HEADERDATA, me)
    }

    // MARK: What libcurl calls

    /// The connection is there and the request is about to go out; the second time it would be a
    /// resend that nobody asked for.
    private func willSend() -> Int32 {
        isConnected = true
        lastByte = transport.loop.now
        attempts += 1
        return attempts > 1 ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK
    }

    private func read(_ room: UnsafeMutableRawBufferPointer) -> Int {
        lastByte = transport.loop.now
        let size = Int(min(Int64(room.count), request.body.length - offset))
        guard size > 0 else { return 0 }
        let part = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
        switch request.body {
        case .none: return 0
        case .bytes(let bytes):
            part.copyBytes(from: bytes[Int(offset)..<Int(offset) + size])
        case .slice(let reader, let start, _):
            guard reader.read(at: start + offset, into: part) == size else {
                sourceFailed = true
                return ccurl_read_abort
            }
        }
        offset += Int64(size)
        return size
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastByte = transport.loop.now
        guard !isGivenUp else { return ccurl_write_pause }
        if sink.isFull {
            isHeld = true
            return ccurl_write_pause
        }
        if sink.received(bytes) { return bytes.count }
        isGivenUp = true
        var failure = failure(nil, "the receiver wanted no more")
        failure.isRefused = true
        transport.giveUpSoon(self, failure)
        return ccurl_write_pause
    }

    /// Outside of libcurl's callbacks; what libcurl holds back comes before this has returned.
    func goOn() {
        guard isHeld else { return }
        isHeld = false
        lastByte = transport.loop.now
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    private func header(_ bytes: UnsafeRawBufferPointer) {
        lastByte = transport.loop.now
        if let head = parser.take(bytes) { sink.received(head) }
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> CurlTransfer? {
        user.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: The end

    func failure(_ fault: TransportFault?, _ message: String) -> TransportFailure {
        TransportFailure(
            fault: fault, message: message, lastByte: lastByte, wasSent: attempts > 0)
    }

    /// Nil: the answer is whole.
    func failure(for code: CURLcode) -> TransportFailure? {
        if code == CURLE_OK, parser.isComplete { return nil }
        var system = 0
        _ = ccurl_get_long(easy, CURLINFO_OS_ERRNO, &system)
        let text = String(cString: errorText)
        let ending = CurlEnding(
            code: code, errno: Int32(truncatingIfNeeded: system), text: text,
            isHeadBegun: parser.isBegun, isHeadComplete: parser.isComplete,
            isResend: attempts > 1)
        var failure = failure(ending.fault, text.isEmpty ? ending.fallbackText : text)
        failure.isLocal = sourceFailed
        failure.urlError = ending.urlError
        failure.systemError = ending.systemError
        return failure
    }
}
