import ControlAPI
import EventLoop
import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

/// A server with its control API, on a loop of its own in wall time.
final class ControlRun: Sendable {
    let loop: EventLoop
    let server: MockServer
    let api: ControlAPI
    /// Of the backend and of its control API.
    let ports: (server: UInt16, control: UInt16)
    let log = Recorder<JournalEvent>()
    /// How often the API said that everything began anew.
    let resets = Recorder<Bool>()

    init(
        _ settings: BackendSettings, _ faults: [FaultRule], _ options: ControlOptions
    ) throws {
        loop = try EventLoop()
        var serverOptions = MockServer.Options()
        serverOptions.isServed = true
        let server = try MockServer(
            loop: loop, settings: settings, faults: faults, options: serverOptions)
        let (log, resets) = (log, resets)
        let api = ControlAPI(server, options) { resets.append(true) }
        (self.server, self.api) = (server, api)
        try loop.start()
        ports = try Self.on(loop, server) { server in
            server.observe { log.append($0) }
            return (try server.start(), try api.start())
        }
    }

    func stop() {
        let api = api
        _ = try? on { server in
            server.stop()
            api.stop()
        }
        loop.stop()
    }

    /// Runs on the loop, and waits.
    @discardableResult
    func on<Value: Sendable>(
        _ body: @escaping @Sendable (isolated MockServer) throws -> Value
    ) throws -> Value {
        try Self.on(loop, server, body)
    }

    private static func on<Value: Sendable>(
        _ loop: EventLoop, _ server: MockServer,
        _ body: @escaping @Sendable (isolated MockServer) throws -> Value
    ) throws -> Value {
        let result = Recorder<Result<Value, any Error>>()
        loop.post {
            result.append(server.assumeIsolated { server in Result { try body(server) } })
        }
        return try result.wait(count: 1)[0].get()
    }

    // MARK: The control API

    func control(receiveBuffer: Int32? = nil) throws -> WireProbe {
        try WireProbe(port: ports.control, receiveBuffer: receiveBuffer)
    }

    /// Sends a request head by head; the host is right unless a field gives another.
    func head(_ method: String, _ target: String, _ fields: [String] = []) -> String {
        let hasHost = fields.contains { $0.lowercased().hasPrefix("host:") }
        let host = hasHost ? [] : ["Host: localhost:\(ports.control)"]
        return (["\(method) \(target) HTTP/1.1"] + host + fields).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    @discardableResult
    func ask(
        _ method: String, _ target: String, _ body: String = "", fields: [String] = []
    ) throws -> ControlReply {
        try ask(method, target, Array(body.utf8), fields: fields)
    }

    @discardableResult
    func ask(
        _ method: String, _ target: String, _ body: [UInt8], fields: [String] = []
    ) throws -> ControlReply {
        let probe = try control()
        let length = body.isEmpty ? [] : ["Content-Length: \(body.count)"]
        try probe.send(head(method, target, length + fields))
        try probe.send(body)
        return ControlReply(try probe.readAnswer(to: method))
    }

    // Parts of an answer: expectations cannot look into what a throwing call with defaults gives.

    func status(
        _ method: String, _ target: String, _ body: String = "", fields: [String] = []
    ) throws -> Int {
        try ask(method, target, body, fields: fields).status
    }

    func status(_ method: String, _ target: String, _ body: [UInt8]) throws -> Int {
        try ask(method, target, body).status
    }

    /// The value at a path of the answer.
    func value(
        _ path: String, _ method: String, _ target: String, _ body: String = "",
        fields: [String] = []
    ) throws -> String? {
        try ask(method, target, body, fields: fields)[path]
    }

    func text(_ method: String, _ target: String) throws -> String {
        try ask(method, target).answer.text
    }

    func json(_ method: String, _ target: String) throws -> JSONValue? {
        try ask(method, target).json
    }

    // MARK: The backend

    func app() throws -> WireProbe { try WireProbe(port: ports.server) }

    /// Downloads an object; the status.
    func download(_ path: String) throws -> Int {
        let probe = try app()
        try probe.ask("/v0/b/demo.appspot.com/o/\(path)?alt=media")
        return try probe.readAnswer().status
    }

    /// Starts a resumable upload; its target.
    func start(_ path: String) throws -> String {
        let probe = try app()
        try probe.ask(
            "/v0/b/demo.appspot.com/o?name=\(path)", method: "POST",
            fields: [
                "X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start",
                "Content-Length: 0",
            ])
        let url = try #require(try probe.readAnswer().head["X-Goog-Upload-URL"])
        return "/v0/" + url.split(separator: "/v0/", maxSplits: 1)[1]
    }

    /// Sends the last bytes of an upload; the status.
    func finish(_ target: String, _ bytes: [UInt8]) throws -> Int {
        let probe = try app()
        try probe.ask(
            target, method: "POST",
            fields: [
                "X-Goog-Upload-Command: upload, finalize", "X-Goog-Upload-Offset: 0",
                "Content-Length: \(bytes.count)",
            ])
        try probe.send(bytes)
        return try probe.readAnswer().status
    }
}

/// An answer of the control API.
struct ControlReply {
    let answer: WireAnswer
    let json: JSONValue?

    init(_ answer: WireAnswer) {
        self.answer = answer
        json = JSONValue(parsing: answer.body)
    }

    var status: Int { answer.status }

    /// The value at a dotted path, list places by their number: `faults.0.fired`.
    subscript(_ path: String) -> String? {
        var value = json
        for name in path.split(separator: ".") {
            switch value {
            case .object(let members):
                value = members.first { $0.name == name }?.value
            case .array(let elements):
                value = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: return nil
            }
        }
        return value?.scalarText ?? value?.text
    }
}

func withControl(
    _ settings: BackendSettings = .open, faults: [FaultRule] = [],
    options: ControlOptions = ControlOptions(), _ body: (ControlRun) throws -> Void
) throws {
    let run = try ControlRun(settings, faults, options)
    defer { run.stop() }
    try body(run)
}

extension BackendSettings {
    /// As `squall serve` has it: any bucket, and an object of 10 bytes.
    static var open: BackendSettings {
        var settings = BackendSettings()
        settings.bucket = nil
        settings.tokens = nil
        settings.objects = [
            GivenObject(path: "a", content: Content(.bytes(Array("0123456789".utf8))))
        ]
        return settings
    }
}

/// Asks again and again until something is so; each question itself waits for an answer.
struct WireDeadlineLoop {
    private let end: ContinuousClock.Instant

    init(_ time: Duration) { end = .now + time }

    func until(_ isSo: () throws -> Bool) throws {
        while try !isSo() {
            try #require(ContinuousClock.now < end, "it did not come to be in time")
        }
    }
}
