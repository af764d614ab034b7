import ClientDriver
import DialIn
import EventLoop
import Foundation
import StorageModel
import TestSupport
import WireProbe

/// A driver that waits for a client to dial in, on a loop of its own, and what it says.
final class DialInRun: @unchecked Sendable {
    // Invariant: `driver` is touched on the loop alone.
    let loop: EventLoop
    private let driver: DialInDriver
    private let sink = RecordingSink()
    let directory: TemporaryDirectory
    let port: UInt16
    let announced = Recorder<String>()

    /// With the patience of a test.
    static var options: DialInOptions {
        var options = DialInOptions()
        options.limits.wait = .seconds(20)
        options.limits.poll = .seconds(20)
        options.limits.absence = .seconds(20)
        options.limits.silence = .seconds(20)
        options.limits.termination = .milliseconds(100)
        return options
    }

    init(
        _ options: DialInOptions = DialInRun.options, _ limits: StdioDriver.Limits = .init()
    ) throws {
        directory = try TemporaryDirectory()
        let loop = try EventLoop()
        try loop.start()
        self.loop = loop
        let announced = announced
        let made = try Self.on(loop) { () throws -> (Box, UInt16) in
            let driver = DialInDriver(loop: loop, options: options, limits: limits) {
                announced.append($0)
            }
            let url = try driver.listen()
            return (Box(driver: driver), URL(string: url)?.port.map(UInt16.init) ?? 0)
        }
        driver = made.0.driver
        port = made.1
    }

    private struct Box: @unchecked Sendable {
        // Invariant: made on the loop, and used there.
        let driver: DialInDriver
    }

    private static func on<Value: Sendable>(
        _ loop: EventLoop, _ body: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let result = Recorder<Result<Value, any Error>>()
        loop.post { result.append(Result { try body() }) }
        return try result.wait(count: 1)[0].get()
    }

    // MARK: What the runner does; each answers when the driver has.

    func hello() -> Recorder<Result<ClientHello, ClientMisbehaviour>> {
        later { [self] done in driver.hello(done) }
    }

    func configure(run: Int = 1) -> Recorder<ClientReply> {
        var configuration = ClientConfiguration(
            run: run, port: 9, bucket: "b", workingDirectory: directory.path)
        configuration.errorOutputPath = directory.path(of: "stderr")
        let chosen = configuration
        return later { [self] done in driver.configure(chosen, sink: sink, done) }
    }

    func perform(_ command: ClientCommand) -> Recorder<ClientReply> {
        later { [self] done in driver.perform(command, done) }
    }

    func upload(_ bytes: [UInt8] = [1, 2, 3], to object: String = "a") -> Recorder<ClientReply> {
        let given = ClientCommand.GivenBytes.source(ByteArraySource(bytes))
        return perform(
            ClientCommand(
                .upload(.init(task: "up", object: .init(path: object), source: .data(given)))))
    }

    func sync() -> Recorder<ClientReply> { later { [self] done in driver.sync(done) } }

    func end() -> Recorder<ClientReply> { later { [self] done in driver.end(done) } }

    func stop() -> Recorder<Bool> {
        later { [self] done in driver.stop { done(true) } }
    }

    /// Ends everything.
    func finish() {
        _ = try? stop().wait(count: 1)
        loop.stop()
    }

    private func later<Value: Sendable>(
        _ body: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> Void
    ) -> Recorder<Value> {
        let recorder = Recorder<Value>()
        loop.post { body { recorder.append($0) } }
        return recorder
    }

    // MARK: What was seen

    var seen: [String] { sink.seen.values }

    /// What the scenario that is running is blamed for.
    func blame() throws -> String {
        let texts = try sink.seen.wait(for: "blame") { $0.contains { $0.hasPrefix("blamed: ") } }
        return texts.first { $0.hasPrefix("blamed: ") }.map { String($0.dropFirst(8)) } ?? ""
    }

    func forget() { sink.seen.removeAll() }

    var errorOutput: String {
        String(decoding: (try? directory.read("stderr")) ?? [], as: UTF8.self)
    }

    var client: Dialer { Dialer(port: port) }
}

private final class RecordingSink: ClientSink, Sendable {
    let seen = Recorder<String>()

    func observed(_ event: TransferEvent, task: String, observer: String?) {
        seen.append("\(task) \(event.kind) \(event.completed)")
    }

    func completed(_ completion: TaskCompletion, task: String) {
        seen.append("\(task) completion")
    }

    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        answer(.none)
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        seen.append("blamed: \(misbehaviour)")
    }
}

/// A client that dials in, request by request, each on a connection of its own.
struct Dialer {
    let port: UInt16

    struct Reply {
        let answer: WireAnswer
        let json: [String: Any]

        var status: Int { answer.status }
        var error: String { json["error"] as? String ?? "" }
        var session: String { json["session"] as? String ?? "" }
        var last: Int { json["last"] as? Int ?? -1 }
        var received: Int { json["received"] as? Int ?? -1 }
        var commands: [[String: Any]] { json["commands"] as? [[String: Any]] ?? [] }
        /// The verbs of the commands.
        var verbs: [String] { commands.map { $0["do"] as? String ?? "" } }
    }

    /// Sends a request and gives the connection, on which the answer will come.
    func send(
        _ method: String, _ target: String, _ body: [UInt8] = [], fields: [String] = [],
        host: String? = nil
    ) throws -> WireProbe {
        let probe = try WireProbe(port: port, deadline: .seconds(10))
        let lines =
            ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"]
            + (method == "GET" ? [] : ["Content-Length: \(body.count)"]) + fields
        try probe.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        try probe.send(body)
        return probe
    }

    @discardableResult
    func ask(
        _ method: String, _ target: String, _ body: String = "", fields: [String] = [],
        host: String? = nil
    ) throws -> Reply {
        let probe = try send(method, target, Array(body.utf8), fields: fields, host: host)
        return Self.reply(try probe.readAnswer(to: method))
    }

    static func reply(_ answer: WireAnswer) -> Reply {
        let value = try? JSONSerialization.jsonObject(with: Data(answer.body))
        return Reply(answer: answer, json: value as? [String: Any] ?? [:])
    }

    func begin(_ body: String = "") throws -> String {
        try ask("POST", "/session", body).session
    }

    func commands(_ session: String, after: Int) throws -> Reply {
        try ask("GET", "/session/\(session)/commands?after=\(after)")
    }

    @discardableResult
    func report(_ session: String, first: Int, _ lines: String...) throws -> Reply {
        let body = lines.map { $0 + "\n" }.joined()
        return try ask("POST", "/session/\(session)/reports?first=\(first)", body)
    }

    /// Says hello as the first report to the first command.
    func sayHello(_ session: String) throws {
        #if DEBUG
            assert(!session.isEmpty)
        #endif
        let id = try commands(session, after: 0).commands.first?["id"] as? Int ?? 0
        try report(
            session, first: 1,
            #"{"answer":\#(id),"hello":{"name":"dialer","version":"1","protocol":1,"#
                + #""capabilities":["upload.data"]}}"#)
    }
}

/// A run with a client that has dialed in and was configured: commands after 2, reports from 3.
func withClient(
    _ options: DialInOptions = DialInRun.options, _ limits: StdioDriver.Limits = .init(),
    client name: String = "", _ body: (DialInRun, Dialer, _ session: String) throws -> Void
) throws {
    let run = try DialInRun(options, limits)
    defer { run.finish() }
    let client = run.client
    let session = try client.begin(name)
    try run.serve(client, session)
    try body(run, client, session)
}

extension DialInRun {
    /// Hello and `configure` with a client that has begun a session.
    func serve(_ client: Dialer, _ session: String, run: Int = 1) throws {
        let hello = hello()
        try client.sayHello(session)
        _ = try hello.wait(count: 1)[0].get()
        let configured = configure(run: run)
        let id = try client.commands(session, after: 1).commands.first?["id"] as? Int ?? 0
        try client.report(session, first: 2, "{\"answer\":\(id)}")
        try configured.wait(count: 1)
    }
}
