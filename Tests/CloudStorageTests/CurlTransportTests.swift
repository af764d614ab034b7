import EventLoop
import Glibc
import StorageModel
import TestSupport
import Testing
import WireProbe

@testable import CloudStorage

/// What a sink was told, as one line each.
final class SinkLog: TransportSink, @unchecked Sendable {
    // Invariant: written on the loop, read by waiting for `ended`.
    let lines = Recorder<String>()
    private var count = 0
    private let limit: Int

    /// - Parameter limit: bytes after which no more are wanted.
    init(limit: Int = .max) { self.limit = limit }

    func received(_ head: ResponseHead) { lines.append("head \(head.status)") }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        count += bytes.count
        return count < limit
    }

    func ended(_ failure: TransportFailure?) {
        if let failure {
            let cause = failure.isRefused ? "unwanted" : failure.isLocal ? "local" : nil
            lines.append("failed \(cause ?? failure.fault?.rawValue ?? "nameless")")
        } else {
            lines.append("whole \(count)")
        }
    }

    func wait() throws -> [String] {
        try lines.wait(for: "the end") { lines in
            lines.contains { $0.hasPrefix("failed") || $0.hasPrefix("whole") }
        }
    }
}

/// A transport on a loop of its own, for tests with raw sockets at the other end.
final class TransportBench: Sendable {
    let loop: EventLoop
    let transport: CurlTransport

    init(connections: Int = 8) throws {
        loop = try EventLoop()
        try loop.start()
        transport = CurlTransport(loop: loop, connections: connections)
    }

    func start(_ request: TransportRequest, _ sink: SinkLog) -> Recorder<Int> {
        let id = Recorder<Int>()
        loop.post { [transport] in id.append(transport.start(request, sink)) }
        return id
    }

    func stop() {
        loop.post { [transport] in transport.shutDown() }
        loop.stop()
    }
}

@Suite("Curl transport")
struct CurlTransportTests {
    enum Ending: Sendable { case close, reset, keep }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var ending: Ending
        var lines: [String]

        init(_ name: String, _ text: String, _ ending: Ending, _ lines: [String]) {
            self.name = name
            bytes = Array(text.utf8)
            self.ending = ending
            self.lines = lines
        }

        var testDescription: String { name }
    }

    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    static let rows = [
        Row(
            "short body, FIN", ok + "Content-Length: 100\r\n\r\nabcd", .close,
            ["head 200", "failed cut"]),
        Row(
            "no body, FIN", ok + "Content-Length: 100\r\n\r\n", .close, ["head 200", "failed cut"]),
        Row(
            "short body, RST", ok + "Content-Length: 100\r\n\r\nabcd", .reset,
            ["head 200", "failed reset"]),
        Row("no last chunk, FIN", chunked + "4\r\nabcd\r\n", .close, ["head 200", "failed cut"]),
        Row("cut in a chunk, FIN", chunked + "9\r\nabcd", .close, ["head 200", "failed cut"]),
        Row("no last chunk, RST", chunked + "4\r\nabcd\r\n", .reset, ["head 200", "failed reset"]),
        Row("bad chunk size", chunked + "zz\r\nabcd\r\n", .keep, ["head 200", "failed malformed"]),
        Row(
            "chunks and a trailer", chunked + "4\r\nabcd\r\n0\r\nX-A: b\r\n\r\n", .keep,
            ["head 200", "whole 4"]),
        Row("cut in the head, FIN", ok + "Content-Length: 1", .close, ["failed cut"]),
        Row("nothing, FIN", "", .close, ["failed closed"]),
        Row("nothing, RST", "", .reset, ["failed reset"]),
        Row("no HTTP", "this is no status line\r\n\r\n", .close, ["failed malformed"]),
        Row("negative length", ok + "Content-Length: -5\r\n\r\n", .close, ["failed malformed"]),
        Row("line without colon", ok + "no colon\r\n\r\n", .close, ["failed malformed"]),
        Row(
            "one line of 512 KiB",
            ok + "X-A: " + String(repeating: "x", count: 524_288) + "\r\n\r\n", .keep,
            ["failed oversized-head"]),
        Row(
            "many lines, 1 MiB",
            ok
                + (0..<128).map { "X-\($0): " + String(repeating: "x", count: 8192) + "\r\n" }
                .joined() + "\r\n", .keep, ["failed oversized-head"]),
        Row(
            "more body than announced", ok + "Content-Length: 2\r\n\r\nabcd", .keep,
            ["head 200", "whole 2"]),
        Row("until the end", ok + "\r\nabcd", .close, ["head 200", "whole 4"]),
        Row("204", "HTTP/1.1 204 No\r\n\r\n", .keep, ["head 204", "whole 0"]),
        Row(
            "interim heads",
            "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + ok
                + "Content-Length: 1\r\n\r\na", .keep, ["head 200", "whole 1"]),
        Row(
            "401 with a challenge",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n",
            .keep, ["head 401", "whole 0"]),
        Row(
            "redirect is not followed",
            "HTTP/1.1 302 Go\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n", .keep,
            ["head 302", "whole 0"]),
        Row(
            "308 without a place", "HTTP/1.1 308 On\r\nContent-Length: 0\r\n\r\n", .keep,
            ["head 308", "whole 0"]),
    ]

    private func ask(
        _ port: UInt16, method: String = "GET", body: RequestBody = .none
    ) -> TransportRequest {
        TransportRequest(method: method, url: "http://127.0.0.1:\(port)/x%2Fy", body: body)
    }

    @Test("Tells faults on the wire apart", arguments: rows)
    func fault(row: Row) async throws {
        let listener = try WireListener()
        let bench = try TransportBench()
        defer { bench.stop() }
        let log = SinkLog()
        _ = bench.start(ask(listener.port), log)
        let probe = try listener.accept()
        let request = try probe.read(through: "\r\n\r\n")
        #expect(
            String(decoding: request, as: UTF8.self).hasPrefix("GET /x%2Fy HTTP/1.1\r\n"))
        try probe.send(row.bytes)
        switch row.ending {
        case .close: probe.close()
        case .reset: probe.reset()
        case .keep: break
        }
        let lines = try log.wait()
        #expect(lines == row.lines)
        withExtendedLifetime(probe) {}
    }

    @Test("Says refused where nobody listens, and resolve where no such host is")
    func noServer() async throws {
        let bench = try TransportBench()
        defer { bench.stop() }
        let port = try WireListener().port
        let (one, other) = (SinkLog(), SinkLog())
        _ = bench.start(ask(port), one)
        _ = bench.start(TransportRequest(method: "GET", url: "http://no.invalid/"), other)
        #expect(try one.wait() == ["failed refused"])
        #expect(try other.wait() == ["failed resolve"])
    }

    @Test("Sends the body with its length, without waiting to be asked for it")
    func upload() async throws {
        let listener = try WireListener()
        let bench = try TransportBench()
        defer { bench.stop() }
        let source = OpenedSource(SyntheticContent(size: 3_000_000, seed: 1))
        let log = SinkLog()
        _ = bench.start(
            ask(
                listener.port, method: "POST",
                body: .slice(source, offset: 500_000, length: 2_000_000)), log)
        let probe = try listener.accept()
        let head = String(decoding: try probe.read(through: "\r\n\r\n"), as: UTF8.self)
        #expect(head.contains("Content-Length: 2000000\r\n"))
        #expect(!head.contains("Expect"))
        let body = try probe.read(exactly: 2_000_000)
        let whole = SyntheticContent(size: 3_000_000, seed: 1)
        #expect(body == whole.bytes(in: 500_000..<2_500_000))
        try probe.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(try log.wait() == ["head 200", "whole 0"])
    }

    @Test("Delivers an answer that comes in the middle of the body")
    func earlyAnswer() async throws {
        let listener = try WireListener()
        let bench = try TransportBench()
        defer { bench.stop() }
        let source = OpenedSource(SyntheticContent(size: 30_000_000, seed: 1))
        let log = SinkLog()
        _ = bench.start(
            ask(listener.port, method: "POST", body: .slice(source, offset: 0, length: 30_000_000)),
            log)
        let probe = try listener.accept()
        _ = try probe.read(through: "\r\n\r\n")
        try probe.send("HTTP/1.1 401 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(try log.wait().first == "head 401")
    }

    @Test("Reports a source that cannot be read as its own fault, not the connection's")
    func unreadable() async throws {
        final class Broken: BodyReader {
            func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
        }
        let listener = try WireListener()
        let bench = try TransportBench()
        defer { bench.stop() }
        let log = SinkLog()
        _ = bench.start(
            ask(listener.port, method: "POST", body: .slice(Broken(), offset: 0, length: 10)), log)
        _ = try listener.accept()
        #expect(try log.wait() == ["failed local"])
    }

    @Test(
        "Never sends a request twice by itself, and tells how the kept connection died",
        arguments: ["GET", "POST"], [true, false])
    func noResend(method: String, isReset: Bool) async throws {
        let listener = try WireListener()
        let bench = try TransportBench()
        defer { bench.stop() }
        let (one, other) = (SinkLog(), SinkLog())
        let body = method == "POST" ? RequestBody.bytes([1, 2, 3]) : .none
        _ = bench.start(ask(listener.port, method: method, body: body), one)
        let probe = try listener.accept()
        _ = try probe.read(through: "\r\n\r\n")
        if method == "POST" { _ = try probe.read(exactly: 3) }
        try probe.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(try one.wait() == ["head 200", "whole 0"])
        _ = bench.start(ask(listener.port, method: method, body: body), other)
        // The second request comes over the same connection, which dies without an answer: behind
        // the whole request, because a break amid its body is another failure.
        _ = try probe.read(through: "\r\n\r\n")
        if method == "POST" { _ = try probe.read(exactly: 3) }
        if isReset { probe.reset() } else { probe.close() }
        #expect(try other.wait() == [isReset ? "failed reset" : "failed closed"])
        // libcurl has opened a second connection for its resend; no byte comes over it.
        if let second = try? listener.accept() {
            let rest = second.readToEnd(silence: .milliseconds(50))
            #expect(rest.bytes == [])
        }
    }

    @Test("Aborts by RST, also where the server does not read", arguments: [false, true])
    func abort(isUpload: Bool) async throws {
        let listener = try WireListener()
        let bench = try TransportBench()
        defer { bench.stop() }
        let log = SinkLog()
        let source = OpenedSource(SyntheticContent(size: 30_000_000, seed: 1))
        let id = bench.start(
            isUpload
                ? ask(
                    listener.port, method: "POST",
                    body: .slice(source, offset: 0, length: 30_000_000)) : ask(listener.port),
            log)
        let probe = try listener.accept()
        _ = try probe.read(through: "\r\n\r\n")
        let number = try id.wait(for: "the exchange") { !$0.isEmpty }[0]
        bench.loop.post { [transport = bench.transport] in transport.cancel(number) }
        #expect(probe.readToEnd().ending == .reset)
        #expect(log.lines.values == [])
    }

    @Test("Aborts by RST when its receiver wants no more")
    func unwanted() async throws {
        let listener = try WireListener()
        let bench = try TransportBench()
        defer { bench.stop() }
        let log = SinkLog(limit: 1)
        _ = bench.start(ask(listener.port), log)
        let probe = try listener.accept()
        _ = try probe.read(through: "\r\n\r\n")
        try probe.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc")
        #expect(try log.wait() == ["head 200", "failed unwanted"])
        #expect(probe.readToEnd().ending == .reset)
    }

    @Test("Keeps to its number of connections, and lets the rest wait in order")
    func limit() async throws {
        let listener = try WireListener()
        let bench = try TransportBench(connections: 1)
        defer { bench.stop() }
        let logs = (0..<3).map { _ in SinkLog() }
        for (number, log) in logs.enumerated() {
            _ = bench.start(
                TransportRequest(method: "GET", url: "http://127.0.0.1:\(listener.port)/\(number)"),
                log)
        }
        let probe = try listener.accept()
        for (number, log) in logs.enumerated() {
            let head = String(decoding: try probe.read(through: "\r\n\r\n"), as: UTF8.self)
            #expect(head.hasPrefix("GET /\(number) "))
            try probe.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            #expect(try log.wait() == ["head 200", "whole 0"])
        }
    }
}
