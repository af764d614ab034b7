import CEpoll
import Glibc

/// A raw, blocking end of a TCP connection: sends exactly the bytes it is told to, and shows what was
/// really on the wire. Every wait has the deadline given at the start. For one thread at a time.
package final class WireProbe {
    /// The socket; it belongs to the probe.
    package let fd: Int32
    /// The longest that any one call waits.
    package let deadline: Duration
    /// Bytes that were received and not yet taken.
    private var pending: [UInt8] = []
    private var ending: WireEnding?
    /// A call that sent was told of the RST: the kernel tells it once, and then shows a clean end.
    private var wasReset = false
    private var isClosed = false

    /// Connects to a port of the loopback interface.
    ///
    /// - Parameters:
    ///   - receiveBuffer: the kernel's receive buffer in bytes (it doubles the number): a small one
    ///     makes a client that does not read felt early.
    ///   - sendBuffer: the kernel's send buffer in bytes (it doubles the number).
    ///   - deadline: for the connecting, and for each later call.
    /// - Throws: `WireError.refused` when nobody listens, `.deadline` when nobody answers.
    package init(
        port: UInt16, host: WireHost = .ipv4, receiveBuffer: Int32? = nil,
        sendBuffer: Int32? = nil,
        deadline: Duration = .seconds(5)
    ) throws(WireError) {
        fd = socket(host.family, Int32(SOCK_STREAM.rawValue), 0)
        self.deadline = deadline
        guard fd >= 0 else { throw .system("socket") }
        if var size = receiveBuffer { setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        if var size = sendBuffer { setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, 4) }
        try connect(port, host)
        sendAtOnce()
    }

    /// Takes over a connected socket.
    init(fd: Int32, deadline: Duration) {
        self.fd = fd
        self.deadline = deadline
        sendAtOnce()
    }

    deinit { close() }

    /// The port of this end.
    package var localPort: UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(fd, $0, &length)
            }
        }
        return withUnsafeBytes(of: &storage) {
            UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    // MARK: Sending

    package func send(_ text: String) throws(WireError) { try send(Array(text.utf8)) }

    /// Sends all bytes, in pieces of at most `piece` bytes, each its own call.
    package func send(_ bytes: [UInt8], piece: Int = .max) throws(WireError) {
        var offset = 0
        let end = WireDeadline(deadline)
        while offset < bytes.count {
            let length = min(piece, bytes.count - offset)
            let count = bytes[offset..<offset + length].withUnsafeBytes {
                Glibc.send(
                    fd, $0.baseAddress, length, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 { offset += count } else { try waitToSend(end, offset, of: bytes.count) }
        }
    }

    /// Sends as much as the kernel takes until it has taken nothing for `silence`; returns how much.
    /// For a peer that does not read.
    package func sendWhatFits(
        _ bytes: [UInt8], silence: Duration = .milliseconds(100)
    ) throws(WireError) -> Int {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.send(
                    fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                )
            }
            if count > 0 {
                offset += count
            } else {
                if errno == ECONNRESET { wasReset = true }
                guard errno == EAGAIN else { throw .system("send") }
                guard WireDeadline(silence).wait(for: POLLOUT, on: fd) else { break }
            }
        }
        return offset
    }

    /// Sends a request without a body, with the fields every server wants.
    package func ask(
        _ target: String, method: String = "GET", fields: [String] = []
    ) throws(WireError) {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    // MARK: Receiving

    /// Reads the head of an answer; what follows it stays to be read.
    package func readHead() throws(WireError) -> WireHead {
        try WireHead(String(decoding: read(through: "\r\n\r\n"), as: UTF8.self))
    }

    /// Reads one answer, by its Content-Length, its chunks, or the end of the connection.
    ///
    /// - Parameter method: `HEAD` for an answer that has no body whatever its head says.
    package func readAnswer(to method: String = "GET") throws(WireError) -> WireAnswer {
        let head = try readHead()
        if method == "HEAD" || head.status == 204 || head.status == 304 || head.status < 200 {
            return WireAnswer(head: head, body: [], ending: nil, isWhole: true)
        }
        if head["Transfer-Encoding"]?.lowercased() == "chunked" {
            return try readChunks(head)
        }
        guard let length = head["Content-Length"].flatMap({ Int($0) }) else {
            let (body, ending) = readToEnd()
            return WireAnswer(head: head, body: body, ending: ending, isWhole: ending == .closed)
        }
        let (body, ending) = read(upTo: length)
        return WireAnswer(
            head: head, body: body, ending: ending, isWhole: body.count == length)
    }

    /// Reads up to and including `mark`.
    package func read(through mark: String) throws(WireError) -> [UInt8] {
        let wanted = Array(mark.utf8)
        let end = WireDeadline(deadline)
        var searched = 0
        while true {
            if let place = Self.place(of: wanted, in: pending, from: searched) {
                return take(place + wanted.count)
            }
            searched = max(0, pending.count - wanted.count + 1)
            try fill(end, waitingFor: "\(mark.debugDescription)")
        }
    }

    /// Reads exactly `count` bytes.
    package func read(exactly count: Int) throws(WireError) -> [UInt8] {
        let end = WireDeadline(deadline)
        while pending.count < count {
            try fill(end, waitingFor: "byte \(pending.count + 1) of \(count)")
        }
        return take(count)
    }

    /// Reads at most `count` bytes: fewer only if the connection ended or fell silent.
    package func read(upTo count: Int) -> (bytes: [UInt8], ending: WireEnding?) {
        let end = WireDeadline(deadline)
        while pending.count < count {
            if let ending = receive(end) { return (take(min(count, pending.count)), ending) }
        }
        return (take(count), nil)
    }

    /// Reads until the connection ends, or until nothing has come for `silence`.
    ///
    /// - Parameter piece: bytes of one call; small pieces and a small receive buffer make a slow
    ///   reader.
    package func readToEnd(
        silence: Duration? = nil, piece: Int = 65536
    ) -> (bytes: [UInt8], ending: WireEnding) {
        while true {
            if let ending = receive(WireDeadline(silence ?? deadline), piece: piece) {
                return (take(pending.count), ending)
            }
        }
    }

    /// True when nothing comes, and the connection stays open, for `duration`.
    package func isSilent(for duration: Duration) -> Bool {
        pending.isEmpty && receive(WireDeadline(duration)) == .silence
    }

    // MARK: Ending

    /// Sends FIN; reading goes on.
    package func finish() { shutdown(fd, Int32(SHUT_WR)) }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(fd)
    }

    /// Sends RST.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    // MARK: Private

    private func connect(_ port: UInt16, _ host: WireHost) throws(WireError) {
        let flags = fcntl(fd, F_GETFL)
        _ = fcntl(fd, F_SETFL, flags | O_NONBLOCK)
        let result = host.withAddress(port: port) { Glibc.connect(fd, $0, $1) }
        if result != 0 {
            guard errno == EINPROGRESS else {
                throw errno == ECONNREFUSED ? .refused : .system("connect")
            }
            guard WireDeadline(deadline).wait(for: POLLOUT, on: fd) else {
                throw .deadline("a connection")
            }
            var number: Int32 = 0
            var length = socklen_t(4)
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length)
            errno = number
            // Connected, and reset before anybody looked: what came before the RST can be read.
            wasReset = number == ECONNRESET
            guard number == 0 || wasReset else {
                throw number == ECONNREFUSED ? .refused : .system("connect")
            }
        }
        _ = fcntl(fd, F_SETFL, flags)
    }

    private func sendAtOnce() {
        var one: Int32 = 1
        setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    private func waitToSend(
        _ end: WireDeadline, _ offset: Int, of count: Int
    ) throws(WireError) {
        switch errno {
        case EAGAIN:
            guard end.wait(for: POLLOUT, on: fd) else {
                throw .deadline("room for byte \(offset + 1) of \(count)")
            }
        case ECONNRESET, EPIPE:
            if errno == ECONNRESET { wasReset = true }
            throw .ended(.reset, "room for byte \(offset + 1) of \(count)")
        case EINTR: break
        default: throw .system("send")
        }
    }

    private func fill(_ end: WireDeadline, waitingFor what: String) throws(WireError) {
        switch receive(end) {
        case nil: return
        case .silence: throw .deadline(what)
        case let ending?: throw .ended(ending, what)
        }
    }

    /// Receives once into `pending`; the ending when nothing more comes.
    private func receive(_ end: WireDeadline, piece: Int = 65536) -> WireEnding? {
        if let ending { return ending }
        while true {
            guard end.wait(for: POLLIN, on: fd) else { return .silence }
            var count = 0
            var number: Int32 = 0
            let received = [UInt8](unsafeUninitializedCapacity: piece) { buffer, filled in
                count = recv(fd, buffer.baseAddress, piece, Int32(MSG_DONTWAIT))
                number = errno
                filled = max(0, count)
            }
            pending += received
            if count > 0 { return nil }
            if count == 0 { ending = wasReset ? .reset : .closed }
            if count < 0, number == EAGAIN || number == EINTR { continue }
            if count < 0 { ending = .reset }
            return ending
        }
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    private func readChunks(_ head: WireHead) throws(WireError) -> WireAnswer {
        var body: [UInt8] = []
        while true {
            let line = try read(through: "\r\n").dropLast(2)
            let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard let size = Int(digits, radix: 16) else {
                throw .malformed("chunk size \(digits)")
            }
            let (bytes, ending) = read(upTo: size)
            body += bytes
            if let ending {
                return WireAnswer(head: head, body: body, ending: ending, isWhole: false)
            }
            let mark = try read(through: "\r\n")
            guard mark.count == 2 else { throw .malformed("bytes behind a chunk") }
            if size == 0 {
                return WireAnswer(head: head, body: body, ending: nil, isWhole: true)
            }
        }
    }

    private static func place(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= mark.count, start <= bytes.count - mark.count else { return nil }
        return (start...(bytes.count - mark.count)).first { place in
            bytes[place] == mark[0] && bytes[place..<place + mark.count].elementsEqual(mark)
        }
    }
}
