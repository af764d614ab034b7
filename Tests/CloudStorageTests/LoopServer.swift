import CEpoll
import EventLoop
import Glibc
import StorageModel

/// What a script sees of a request: the head as soon as it is whole, and the body that came with it.
struct SeenRequest: Sendable {
    var ordinal: Int
    var connection: Int
    var method: String
    var target: String
    var headers: HTTPHeaders
    var body: [UInt8]

    var command: String? { headers["X-Goog-Upload-Command"] }
    var offset: Int64? { headers["X-Goog-Upload-Offset"].flatMap { Int64($0) } }
}

/// What a script does with a request.
enum ServerDoing: Sendable {
    case answer(Int, [String: String] = [:], [UInt8] = [])
    /// Raw bytes, and what becomes of the connection.
    case raw([UInt8], Ending)
    case after(Duration, [ServerDoing])
    case silence

    enum Ending: Sendable { case keep, close, reset }

    static func json(_ status: Int, _ text: String, _ headers: [String: String] = [:]) -> Self {
        .answer(status, headers, Array(text.utf8))
    }
}

/// A tiny scripted HTTP server on a loop, for tests of the client alone: it believes nothing and checks
/// nothing. Confined to the loop.
final class LoopServer: @unchecked Sendable {
    typealias Script = (SeenRequest) -> ServerDoing

    final class Connection: @unchecked Sendable {
        let fd: Int32
        let number: Int
        var input: [UInt8] = []
        var output: [UInt8] = []
        var ending = ServerDoing.Ending.keep
        var isBusy = false

        init(fd: Int32, number: Int) {
            self.fd = fd
            self.number = number
        }
    }

    let loop: EventLoop
    private(set) var port: UInt16 = 0
    private(set) var requests: [SeenRequest] = []
    /// Connections that ended by RST of the client.
    private(set) var resets = 0
    /// Stops reading a request's body after this many bytes.
    var readLimit = Int.max
    private let script: Script
    private var listener: Int32 = -1
    private var connections: [Int32: Connection] = [:]
    private(set) var accepted = 0

    init(loop: EventLoop, script: @escaping Script) {
        self.loop = loop
        self.script = script
    }

    func start() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0x80800, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = listen(listener, 64)
                _ = getsockname(listener, $0, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        loop.watch(listener, EventLoop.readable) { [unowned self] _ in accept() }
    }

    func stop() {
        loop.unwatch(listener)
        close(listener)
        for connection in connections.values { end(connection, .close) }
    }

    private func accept() {
        let fd = cepoll_accept(listener, nil, nil)
        guard fd >= 0 else { return }
        accepted += 1
        let connection = Connection(fd: fd, number: accepted)
        connections[fd] = connection
        loop.time?.serverOpened(fd)
        var one: Int32 = 1
        setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        loop.watch(fd, EventLoop.readable) { [unowned self] _ in read(connection) }
    }

    private func read(_ connection: Connection) {
        var buffer = [UInt8](repeating: 0, count: 262_144)
        let count = recv(connection.fd, &buffer, buffer.count, 0)
        if count <= 0 {
            if count < 0, errno == EAGAIN { return }
            if count < 0 { resets += 1 }
            return end(connection, .close)
        }
        connection.input += buffer[..<count]
        if connection.input.count >= readLimit { return loop.unwatch(connection.fd) }
        handle(connection)
    }

    private func handle(_ connection: Connection) {
        guard !connection.isBusy, let request = takeRequest(connection) else { return }
        connection.isBusy = true
        requests.append(request)
        carryOut(script(request), connection)
    }

    private func takeRequest(_ connection: Connection) -> SeenRequest? {
        let bytes = connection.input
        let mark = Array("\r\n\r\n".utf8)
        guard
            let end = bytes.indices.first(where: {
                $0 + 4 <= bytes.count && Array(bytes[$0..<$0 + 4]) == mark
            })
        else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false)
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.add(
                String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let length = headers["Content-Length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= end + 4 + length else { return nil }
        connection.input = Array(bytes[(end + 4 + length)...])
        let words = lines[0].split(separator: " ")
        return SeenRequest(
            ordinal: requests.count + 1, connection: connection.number,
            method: String(words[0]), target: String(words[1]), headers: headers,
            body: Array(bytes[end + 4..<end + 4 + length]))
    }

    private func carryOut(_ doing: ServerDoing, _ connection: Connection) {
        switch doing {
        case .answer(let status, let headers, let body):
            var head = "HTTP/1.1 \(status) Said\r\nContent-Length: \(body.count)\r\n"
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
                head += "\(name): \(value)\r\n"
            }
            send(Array((head + "\r\n").utf8) + body, .keep, connection)
        case .raw(let bytes, let ending): send(bytes, ending, connection)
        case .after(let delay, let doings):
            loop.timer(after: delay) { [weak self] in
                guard let self, connections[connection.fd] === connection else { return }
                for doing in doings { carryOut(doing, connection) }
            }
        case .silence: break
        }
    }

    private func send(
        _ bytes: [UInt8], _ ending: ServerDoing.Ending, _ connection: Connection
    ) {
        connection.output += bytes
        connection.ending = ending
        write(connection)
    }

    private func write(_ connection: Connection) {
        while !connection.output.isEmpty {
            let count = Glibc.send(
                connection.fd, connection.output, min(connection.output.count, 65_536),
                Int32(MSG_NOSIGNAL))
            if count < 0 {
                guard errno == EAGAIN else { return end(connection, .close) }
                return loop.watch(connection.fd, EventLoop.writable) { [unowned self] _ in
                    write(connection)
                }
            }
            connection.output.removeFirst(count)
        }
        switch connection.ending {
        case .keep:
            connection.isBusy = false
            loop.watch(connection.fd, EventLoop.readable) { [unowned self] _ in
                read(connection)
            }
            handle(connection)
        case .close: end(connection, .close)
        case .reset: end(connection, .reset)
        }
    }

    private func end(_ connection: Connection, _ ending: ServerDoing.Ending) {
        guard connections.removeValue(forKey: connection.fd) != nil else { return }
        loop.unwatch(connection.fd)
        loop.time?.serverClosed(connection.fd)
        if case .reset = ending {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection.fd, SOL_SOCKET, SO_LINGER, &linger, 8)
        }
        close(connection.fd)
    }
}
