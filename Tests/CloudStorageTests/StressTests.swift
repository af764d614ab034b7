import EventLoop
import Foundation
import Glibc
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// A transport without sockets: takes each request and answers it a little later, on its loop.
final class ScriptedTransport: HTTPTransport, @unchecked Sendable {
    // Invariant: confined to the loop.
    private let loop: EventLoop
    private let script: @Sendable (SeenRequest) -> ServerDoing
    private var sinks: [Int: any TransportSink] = [:]
    private var last = 0

    init(loop: EventLoop, script: @escaping @Sendable (SeenRequest) -> ServerDoing) {
        self.loop = loop
        self.script = script
    }

    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        last += 1
        let id = last
        sinks[id] = sink
        let seen = SeenRequest(
            ordinal: id, connection: id, method: request.method, target: request.url,
            headers: request.headers, body: Self.bytes(request.body))
        loop.post { [self] in deliver(id, script(seen)) }
        return id
    }

    private func deliver(_ id: Int, _ doing: ServerDoing) {
        guard let sink = sinks[id] else { return }
        switch doing {
        case .answer(let status, let headers, let body):
            let fields = headers.map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
            sink.received(ResponseHead(status: status, headers: HTTPHeaders(fields)))
            let isWanted = body.isEmpty || body.withUnsafeBytes { sink.received($0) }
            sinks[id] = nil
            sink.ended(isWanted ? nil : TransportFailure(message: "unwanted", isRefused: true))
        case .raw, .after, .silence:
            sinks[id] = nil
            sink.ended(
                TransportFailure(fault: .reset, message: "", lastByte: loop.now, wasSent: true))
        }
    }

    private static func bytes(_ body: RequestBody) -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .slice(let reader, let offset, let length):
            var bytes = [UInt8](repeating: 0, count: Int(length))
            _ = bytes.withUnsafeMutableBytes { reader.read(at: offset, into: $0) }
            return bytes
        }
    }

    func cancel(_ id: Int) { sinks[id] = nil }

    func shutDown() { sinks = [:] }
}

@Suite("Stress")
struct StressTests {
    /// `SQUALL_STRESS` sets the number of rounds.
    static let rounds = ProcessInfo.processInfo.environment["SQUALL_STRESS"].flatMap { Int($0) }

    @Test("Three threads that pause, resume and cancel never break the order of events")
    func threads() throws {
        let work = try EventLoop()
        let callbacks = try EventLoop()
        let callers = try (0..<3).map { _ in try EventLoop() }
        for loop in [work, callbacks] + callers { try loop.start() }
        let store = Lock<[String: ScriptedStore]>([:])
        let transport = ScriptedTransport(loop: work) { request in
            let name = request.target.contains("session") ? "" : request.target
            return store.withLock { $0[name] ?? $0["", default: ScriptedStore()] }.answer(request)
        }
        let engine = StorageEngine(loop: work, transport: transport)
        let storage = Storage(bucket: "b", engine: engine)
        storage.callbacks = LoopCallbackQueue(loop: callbacks)
        storage.uploadChunkSizeBytes = 262_144
        for seed in 0..<UInt64(Self.rounds ?? 60) {
            store.withLock { $0[""] = ScriptedStore() }
            let broken = try round(seed, storage, callers)
            if let broken {
                Issue.record("seed \(seed): \(broken)")
                break
            }
        }
        for loop in callers + [work, callbacks] { loop.stop() }
    }

    private func round(
        _ seed: UInt64, _ storage: Storage, _ callers: [EventLoop]
    ) throws -> String? {
        let seen = Recorder<String>()
        // In one turn of the callback queue, so that the observers miss nothing.
        let made = Recorder<StorageUploadTask>()
        storage.callbacks.enqueue {
            let task = storage.reference(withPath: "a").putData(Data(UploadTests.bytes))
            for status in StorageTaskStatus.allCases {
                task.observe(status) { seen.append("\($0.status)") }
            }
            task.whenEnded { _ in seen.append("ended") }
            made.append(task)
        }
        let task = try made.wait(count: 1)[0]
        for (number, caller) in callers.enumerated() {
            caller.post {
                var random = SplitMix64(seed: SplitMix64.derive(seed, "\(number)"))
                for _ in 0..<20 {
                    switch UInt.random(in: 0..<40, using: &random) {
                    case 0: task.cancel()
                    case 1..<15: task.pause()
                    case 15..<35: task.resume()
                    default: sched_yield()
                    }
                }
                task.resume()
            }
        }
        for caller in callers {
            let done = Recorder<Bool>()
            caller.post { done.append(true) }
            _ = try done.wait(count: 1)
        }
        task.resume()
        let events = try seen.wait(for: "the end") { $0.contains("ended") }
        return Self.brokenRule(events)
    }

    private static func brokenRule(_ events: [String]) -> String? {
        guard events.last == "ended", events.firstIndex(of: "ended") == events.count - 1 else {
            return "the end is not the end: \(events)"
        }
        let ends = events.count { $0 == "success" || $0 == "failure" }
        if ends != 1 { return "\(ends) ends: \(events)" }
        let turns = events.filter { $0 == "resume" || $0 == "pause" }
        for (place, turn) in turns.enumerated()
        where turn != (place.isMultiple(of: 2) ? "resume" : "pause") {
            return "no alternation: \(events)"
        }
        var isPaused = true
        for event in events {
            if event == "resume" || event == "pause" { isPaused = event == "pause" }
            if event == "progress", isPaused { return "progress while paused: \(events)" }
        }
        return nil
    }
}
