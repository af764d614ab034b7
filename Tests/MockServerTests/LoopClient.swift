import EventLoop
import FaultEngine
import Glibc
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

/// A raw client on the server's own loop, so that it runs in virtual time.
final class LoopClient: @unchecked Sendable {
    // Invariant: used on the loop alone.
    struct Answer: Equatable {
        var status: Int
        var head: String
        var body: [UInt8]

        func field(_ name: String) -> String? {
            let line = head.split(separator: "\r\n").first {
                $0.lowercased().hasPrefix(name.lowercased() + ": ")
            }
            return line.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private let loop: EventLoop
    private let fd: Int32
    private var pending: [UInt8] = []
    private var isAtEnd = false
    /// What came, and when.
    private(set) var arrivals: [(time: Duration, count: Int)] = []

    init(_ loop: EventLoop, port: UInt16) {
        self.loop = loop
        fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var one: Int32 = 1
        setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        loop.time?.clientOpened(fd)
    }

    func close(reset: Bool = true) {
        loop.unwatch(fd)
        loop.time?.clientClosed(fd)
        if reset {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
        Glibc.close(fd)
    }

    /// Sends a request and reads its answer; nil where the connection ends first.
    func exchange(
        _ method: String, _ target: String, fields: [String] = [], body: [UInt8] = []
    ) async -> Answer? {
        await begin(method, target, fields: fields, length: body.count, sending: body)
        return await answer()
    }

    func begin(
        _ method: String, _ target: String, fields: [String], length: Int, sending body: [UInt8]
    ) async {
        let lines =
            ["\(method) \(target) HTTP/1.1", "Host: localhost", "Content-Length: \(length)"]
            + fields
        await send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    func get(_ path: String) async -> Answer? {
        await exchange("GET", WireProbe.object(path) + "?alt=media")
    }

    func startUpload(_ path: String) async throws -> String {
        let answer = await exchange(
            "POST", "\(WireProbe.objects)?name=\(path)",
            fields: ["X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start"])
        let url = try #require(answer?.field("X-Goog-Upload-URL"))
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        return "/" + parts[2].drop { $0 != "/" }.dropFirst()
    }

    func command(
        _ target: String, _ command: String, offset: Int? = nil, body: [UInt8] = []
    ) async -> Answer? {
        await exchange(
            "POST", target, fields: WireProbe.command(command, offset: offset), body: body)
    }

    func answer() async -> Answer? {
        guard let end = await readHead() else { return nil }
        let head = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end)
        let words = head.split(separator: " ", maxSplits: 2)
        var answer = Answer(status: words.count > 1 ? Int(words[1]) ?? 0 : 0, head: head, body: [])
        let length = answer.field("Content-Length").flatMap { Int($0) } ?? 0
        while pending.count < length {
            guard await receive() else { return nil }
        }
        answer.body = Array(pending[..<length])
        pending.removeFirst(length)
        return answer
    }

    private func readHead() async -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        while true {
            let starts = pending.indices.dropLast(3)
            if let start = starts.first(where: { pending[$0..<$0 + 4].elementsEqual(mark) }) {
                return start + 4
            }
            guard await receive() else { return nil }
        }
    }

    private func send(_ bytes: [UInt8]) async {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                offset += count
            } else {
                guard errno == EAGAIN || errno == ENOTCONN else { return }
                await ready(EventLoop.writable)
            }
        }
    }

    /// False at the end of the connection.
    private func receive() async -> Bool {
        while !isAtEnd {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(fd, &buffer, buffer.count, 0)
            if count > 0 {
                pending += buffer[..<count]
                arrivals.append((loop.now, count))
                return true
            }
            if count < 0, errno == EAGAIN || errno == ENOTCONN {
                await ready(EventLoop.readable)
            } else {
                isAtEnd = true
            }
        }
        return false
    }

    private func ready(_ events: UInt32) async {
        await withCheckedContinuation { continuation in
            loop.watch(fd, events) { [loop, fd] _ in
                loop.unwatch(fd)
                continuation.resume()
            }
        }
    }
}

/// Runs `body` with a server on a loop with a virtual clock.
func withVirtualServer(
    _ faults: [FaultRule] = [], settings: BackendSettings = BackendSettings(),
    options: MockServer.Options = .init(),
    _ body: @escaping @Sendable (EventLoop, MockServer, UInt16) async throws -> Void
) async throws {
    try await runVirtually { loop in
        let server = try MockServer(
            loop: loop, settings: settings, faults: faults, options: options)
        let port = try await server.start()
        do {
            try await body(loop, server, port)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
