import Testing
import WireProbe

@Suite("Wire probe")
struct WireProbeTests {
    private func pair(
        _ host: WireHost = .ipv4, receiveBuffer: Int32? = nil
    ) throws -> (near: WireProbe, far: WireProbe) {
        let listener = try WireListener(host: host, deadline: .seconds(5))
        let near = try WireProbe(
            port: listener.port, host: host, receiveBuffer: receiveBuffer)
        return (near, try listener.accept())
    }

    @Test("Connects over both families", arguments: WireHost.allCases)
    func connects(host: WireHost) throws {
        let (near, far) = try pair(host)
        try near.send("hello")
        #expect(try far.read(exactly: 5) == Array("hello".utf8))
    }

    @Test("Says when nobody listens")
    func refused() throws {
        let port = try WireListener().port
        #expect(throws: WireError.refused) { try WireProbe(port: port) }
    }

    @Test("Tells FIN, RST and silence apart")
    func endings() throws {
        let (first, closing) = try pair()
        closing.finish()
        #expect(first.readToEnd().ending == .closed)
        let (second, resetting) = try pair()
        try resetting.send("part")
        #expect(try second.read(exactly: 4) == Array("part".utf8))
        resetting.reset()
        #expect(second.readToEnd().ending == .reset)
        let (third, silent) = try pair()
        #expect(third.readToEnd(silence: .milliseconds(20)).ending == .silence)
        #expect(third.isSilent(for: .milliseconds(5)))
        try silent.send("x")
        #expect(!third.isSilent(for: .seconds(5)))
    }

    @Test("A reset of which a send was told first is still read as a reset")
    func resetWhileSending() throws {
        let (near, far) = try pair()
        far.reset()
        #expect(throws: WireError.self) {
            while true { try near.send("x") }
        }
        #expect(near.readToEnd().ending == .reset)
    }

    @Test("Reads a head, then a body of the declared length, then the next answer")
    func pipelined() throws {
        let (near, far) = try pair()
        try far.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n\r\nhi", )
        try far.send("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
        let first = try near.readAnswer()
        #expect(first.status == 200 && first.text == "hi" && first.isWhole)
        #expect(first.head["x-a"] == "b")
        let second = try near.readAnswer()
        #expect(second.status == 404 && second.head.reason == "Not Found")
    }

    @Test("Reads a chunked body")
    func chunked() throws {
        let (near, far) = try pair()
        try far.send(
            Array(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na;x=y\r\n0123456789\r\n0\r\n\r\n"
                    .utf8), piece: 7)
        let answer = try near.readAnswer()
        #expect(answer.text == "abc0123456789")
        #expect(answer.isWhole)
    }

    @Test("A body that ends early is not whole, and how it ended is told")
    func cut() throws {
        let (near, far) = try pair()
        try far.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        far.finish()
        let answer = try near.readAnswer()
        #expect(!answer.isWhole)
        #expect(answer.ending == .closed)
        #expect(answer.text == "abc")
    }

    @Test("A head that never ends meets the deadline")
    func deadline() throws {
        let listener = try WireListener()
        let near = try WireProbe(port: listener.port, deadline: .milliseconds(30))
        let far = try listener.accept()
        try far.send("HTTP/1.1 200 OK\r\n")
        #expect(throws: WireError.self) { try near.readHead() }
    }

    @Test("Sending stops where a peer with a small buffer does not read")
    func backPressure() throws {
        let (near, far) = try pair(receiveBuffer: 4096)
        let sent = try far.sendWhatFits([UInt8](repeating: 1, count: 64 << 20))
        #expect(sent < 64 << 20)
        far.finish()
        let (bytes, ending) = near.readToEnd(piece: 1 << 16)
        #expect(bytes.count == sent)
        #expect(ending == .closed)
    }
}
