internal import CCurl
internal import CEpoll
internal import EventLoop
internal import Glibc
internal import StorageModel

/// libcurl's multi interface on our loop (`multi_socket`): no thread of its own, every socket known to
/// the loop's clock.
///
/// An aborted exchange closes its connection by RST: behind unread bytes a FIN stays unseen by the
/// server, for ever. A request is never sent twice by libcurl's own doing.
final class CurlTransport: HTTPTransport, @unchecked Sendable {
    // Invariant: confined to the loop after `init`.
    let loop: EventLoop
    private let multi: UnsafeMutableRawPointer?
    private let limit: Int
    private var lastID = 0
    private var transfers: [Int: CurlTransfer] = [:]
    private var idOf: [UnsafeMutableRawPointer: Int] = [:]
    /// Exchanges beyond the limit, in the order of their coming.
    private var waiting = RequestQueue()
    private var timer: LoopTimer?
    private var timerGeneration = 0
    private(set) var isAborting = false
    private var isShutDown = false

    private static let globalInit: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// - Parameter connections: exchanges at once; 1 or more.
    init(loop: EventLoop, connections: Int = 8) {
        precondition(connections > 0)
        _ = Self.globalInit
        self.loop = loop
        limit = connections
        multi = curl_multi_init()
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_multi_pointer(multi, CURLMOPT_SOCKETDATA, me)
        _ = ccurl_multi_pointer(multi, CURLMOPT_TIMERDATA, me)
        _ = ccurl_multi_socket(multi) { easy, fd, what, user, _ in
            CurlTransport.from(user)?.interestChanged(easy, fd, what)
            return 0
        }
        _ = ccurl_multi_timer(multi) { _, milliseconds, user in
            CurlTransport.from(user)?.timerChanged(milliseconds)
            return 0
        }
    }

    // MARK: Exchanges

    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        lastID += 1
        if transfers.count < limit, waiting.isEmpty {
            begin(lastID, request, sink)
        } else {
            waiting.append(lastID, request, sink)
        }
        return lastID
    }

    func cancel(_ id: Int) {
        if let transfer = transfers[id] {
            remove(transfer, aborting: true)
            beginWaiting()
        } else {
            waiting.remove(id)
        }
    }

    func goOn(_ id: Int) {
        guard let transfer = transfers[id], transfer.isHeld else { return }
        transfer.goOn()
        act(CURL_SOCKET_TIMEOUT, 0)
    }

    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        waiting.removeAll()
        for id in transfers.keys.sorted() { cancel(id) }
        timer.map(loop.cancel)
        timer = nil
        timerGeneration += 1
        curl_multi_cleanup(multi)
    }

    private func begin(_ id: Int, _ request: TransportRequest, _ sink: any TransportSink) {
        let transfer = CurlTransfer(id: id, request: request, sink: sink, transport: self)
        guard let easy = transfer.easy, multi != nil, !isShutDown else {
            let failure = TransportFailure(
                message: "libcurl could make no transfer", lastByte: loop.now)
            loop.post { transfer.sink.ended(failure) }
            return
        }
        transfers[id] = transfer
        idOf[easy] = id
        transfer.configure()
        curl_multi_add_handle(multi, easy)
        watchIdle(transfer)
    }

    private func beginWaiting() {
        while transfers.count < limit, !isShutDown, let next = waiting.next() {
            begin(next.id, next.entry.request, next.entry.sink)
        }
    }

    /// Inside a callback of libcurl: gives the exchange up as soon as that has returned.
    func giveUpSoon(_ transfer: CurlTransfer, _ failure: TransportFailure) {
        let id = transfer.id
        loop.post { [self] in
            guard let transfer = transfers[id] else { return }
            finish(transfer, failure, aborting: true)
        }
    }

    private func finish(_ transfer: CurlTransfer, _ failure: TransportFailure?, aborting: Bool) {
        remove(transfer, aborting: aborting)
        transfer.sink.ended(failure)
        beginWaiting()
    }

    private func remove(_ transfer: CurlTransfer, aborting: Bool) {
        transfers[transfer.id] = nil
        if let easy = transfer.easy { idOf[easy] = nil }
        transfer.idleTimer.map(loop.cancel)
        transfer.idleTimer = nil
        isAborting = aborting
        curl_multi_remove_handle(multi, transfer.easy)
        isAborting = false
        transfer.cleanUp()
    }

    /// The timer is not moved at each byte: it fires, looks, and sleeps for the rest.
    private func watchIdle(_ transfer: CurlTransfer) {
        let id = transfer.id
        let rest = max(.zero, transfer.deadline - loop.now)
        transfer.idleTimer = loop.timer(after: min(rest, transfer.lookInterval)) {
            [weak self] in
            guard let self, let transfer = transfers[id] else { return }
            transfer.lookAtSendQueue()
            guard transfer.deadline <= loop.now else { return watchIdle(transfer) }
            let failure = transfer.failure(.timedOut, "no byte moved for too long")
            finish(transfer, failure, aborting: true)
        }
    }

    // MARK: libcurl's wishes

    private func interestChanged(
        _ easy: UnsafeMutableRawPointer?, _ fd: Int32, _ what: Int32
    ) {
        if let id = easy.flatMap({ idOf[$0] }) {
            transfers[id]?.descriptor = what == CURL_POLL_REMOVE ? nil : fd
        }
        if what == CURL_POLL_REMOVE { return loop.unwatch(fd) }
        var interest: UInt32 = 0
        if what & CURL_POLL_IN != 0 { interest |= EventLoop.readable }
        if what & CURL_POLL_OUT != 0 { interest |= EventLoop.writable }
        loop.watch(fd, interest) { [weak self] events in
            var flags: Int32 = 0
            if events & EventLoop.readable != 0 { flags |= CURL_CSELECT_IN }
            if events & EventLoop.writable != 0 { flags |= CURL_CSELECT_OUT }
            if events & 0x18 != 0 { flags |= CURL_CSELECT_ERR }
            self?.act(fd, flags)
        }
    }

    /// "At once" is work like any other and is counted; longer ones are libcurl's own affairs.
    private func timerChanged(_ milliseconds: Int) {
        timer.map(loop.cancel)
        timer = nil
        timerGeneration += 1
        let generation = timerGeneration
        if milliseconds == 0 {
            loop.post { [weak self] in
                guard let self, generation == timerGeneration else { return }
                act(CURL_SOCKET_TIMEOUT, 0)
            }
        } else if milliseconds > 0 {
            timer = loop.realTimer(after: .milliseconds(milliseconds)) { [weak self] in
                self?.timer = nil
                self?.act(CURL_SOCKET_TIMEOUT, 0)
            }
        }
    }

    private func act(_ fd: Int32, _ flags: Int32) {
        guard !isShutDown else { return }
        var running: Int32 = 0
        curl_multi_socket_action(multi, fd, flags, &running)
        collect()
    }

    private func collect() {
        var left: Int32 = 0
        while !isShutDown, let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let id = idOf[easy], let transfer = transfers[id]
            else { continue }
            let failure = transfer.failure(for: message.pointee.data.result)
            finish(transfer, failure, aborting: false)
        }
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> CurlTransport? {
        user.map { Unmanaged<CurlTransport>.fromOpaque($0).takeUnretainedValue() }
    }
}
