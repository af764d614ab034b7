import ClientDriver
import EventLoop
import Mutants
import ReferenceDriver
import Scenario
import ScenarioRunner
import StorageModel
import Testing

@testable import CloudStorage

/// A client with one mistake that rows of the generated matrix find, those that can find it, and how many
/// do.
struct GeneratedMistake: Sendable, CustomTestStringConvertible {
    /// What it does.
    let name: String
    /// Rows that the mistake can show in.
    let rows: [FaultRow]
    /// How many of them turn red at least.
    let caught: PartialRangeFrom<Int>
    let source: ClientSource

    var testDescription: String { name }

    private init(
        _ name: String, in rows: [FaultRow], caught: PartialRangeFrom<Int>, _ source: ClientSource
    ) {
        self.name = name
        self.rows = rows
        self.caught = caught
        self.source = source
    }

    static let all = tables + wires

    // MARK: Wrong in one line of a table

    private static let tables: [GeneratedMistake] = [
        GeneratedMistake(
            "tries nothing again",
            in: rows { $0.kind == .passing && $0.outcome == .recovers }, caught: 280...,
            client { answers, breaks in
                answers.rows.removeAll { $0.meaning == .retried }
                for fault in breaks.rows.keys { breaks.rows[fault]?.isRetried = false }
            }),
        GeneratedMistake(
            "tries again what is refused for good",
            in: rows { $0.kind == .refused && $0.fault.cause == .status(403) }, caught: 172...,
            client { answers, _ in answers.rows.insert(AnswerTable.Row(403, .retried), at: 0) }),
        GeneratedMistake(
            "calls a refusal by a wrong name",
            in: rows { $0.kind == .refused && $0.fault.cause == .status(402) }, caught: 80...,
            client { answers, _ in
                answers.rows.insert(AnswerTable.Row(402, .refused(.unauthorized)), at: 0)
            }),
    ]

    // MARK: Wrong on the wire

    private static let wires: [GeneratedMistake] = [
        GeneratedMistake(
            "tries without a limit", in: rows { $0.kind == .broken && $0.outcome == .exhausts },
            caught: 530..., limitless),
        GeneratedMistake(
            "succeeds although the body was cut",
            in: rows { $0.kind == .lost && FaultTarget.downloads.contains($0.target) },
            caught: 140..., client { GlossingTransport(loop: $0) }),
        GeneratedMistake(
            "looks at no checksum",
            in: rows { $0.outcome == .fails(.nonMatchingChecksum) && $0.target != .uploadWhole },
            caught: 74..., habitual { $0.checksum = .unchecked }),
        GeneratedMistake(
            "begins a download anew",
            in: rows { $0.target == .downloadResumed && $0.outcome != .undecided },
            caught: 14...,
            client { WrongTransport(CurlTransport(loop: $0), loop: $0, .ignoresRange) }),
        GeneratedMistake(
            "sends an upload from its beginning again",
            in: rows { $0.target == .uploadLast && $0.outcome == .recovers }, caught: 100...,
            client { WrongTransport(CurlTransport(loop: $0), loop: $0, .asksNothing) }),
        GeneratedMistake(
            "stores a second generation after trouble",
            in: rows { $0.kind == .lost && FaultTarget.last.contains($0.target) }, caught: 195...,
            client { TwiceTransport(loop: $0) }),
    ]

    private static func rows(_ isMeant: (FaultRow) -> Bool) -> [FaultRow] {
        GeneratedMatrix.rows.filter { !$0.needsTLS && isMeant($0) }
    }

    // MARK: Clients

    private static func client(
        _ change: @Sendable (inout AnswerTable, inout TransportTable) -> Void
    ) -> ClientSource {
        var answers = AnswerTable.documented
        var breaks = TransportTable.documented
        change(&answers, &breaks)
        let (table, other) = (answers, breaks)
        return ClientSource(isKept: false) { loop in
            ReferenceDriver(loop: loop) { loop, configuration in
                StorageEngine(
                    loop: loop, transport: CurlTransport(loop: loop, connections: 8),
                    seed: configuration.seed, idleTimeout: configuration.settings.idleTimeout,
                    answers: table, breaks: other)
            }
        }
    }

    private static func client(
        _ transport: @escaping @Sendable (EventLoop) -> any HTTPTransport
    ) -> ClientSource {
        ClientSource(isKept: false) { loop in
            ReferenceDriver(loop: loop) { loop, configuration in
                StorageEngine(
                    loop: loop, transport: transport(loop), seed: configuration.seed,
                    idleTimeout: configuration.settings.idleTimeout)
            }
        }
    }

    private static func habitual(_ change: (inout Traits) -> Void) -> ClientSource {
        var traits = Traits.documented
        change(&traits)
        return HabitClient(traits: traits).source
    }

    /// Takes no limit but the longest.
    private static let limitless = ClientSource(isKept: false) { loop in
        let mistake = Mistake(settings: { settings in
            settings.maxUploadRetryTime = .seconds(600)
            settings.maxDownloadRetryTime = .seconds(600)
            settings.maxOperationRetryTime = .seconds(600)
        })
        return WrongDriver(ReferenceDriver(loop: loop), mistake)
    }
}

/// Takes a body that was cut for a whole one, and hides the checksum that would tell.
private final class GlossingTransport: HTTPTransport, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let honest: CurlTransport

    init(loop: EventLoop) { honest = CurlTransport(loop: loop) }

    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        honest.start(request, request.method == "GET" ? Glossing(sink) : sink)
    }

    func cancel(_ id: Int) { honest.cancel(id) }

    func shutDown() { honest.shutDown() }
}

private final class Glossing: TransportSink {
    private let sink: any TransportSink
    private var isSuccess = false

    init(_ sink: any TransportSink) { self.sink = sink }

    var isFull: Bool { sink.isFull }

    func received(_ head: ResponseHead) {
        var head = head
        isSuccess = (200...299).contains(head.status)
        head.headers["x-goog-hash"] = nil
        head.headers["Content-Length"] = nil
        sink.received(head)
    }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool { sink.received(bytes) }

    func ended(_ failure: TransportFailure?) { sink.ended(isSuccess ? nil : failure) }
}

/// Uploads once more what was stored, where a body had met with trouble before.
private final class TwiceTransport: HTTPTransport, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let loop: EventLoop
    private let honest: CurlTransport
    private var begun: TransportRequest?
    private var hadTrouble = false

    init(loop: EventLoop) {
        self.loop = loop
        honest = CurlTransport(loop: loop)
    }

    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        let command = request.uploadCommand
        if command == "start" { begun = request }
        return honest.start(
            request,
            Watching(sink) { [self] head, failure in
                guard command != "start" else { return }
                if failure != nil || (head?.status ?? 0) >= 400 { hadTrouble = true }
                guard hadTrouble, head?.headers["X-Goog-Upload-Status"] == "final" else { return }
                hadTrouble = false
                uploadAgain()
            })
    }

    func cancel(_ id: Int) { honest.cancel(id) }

    func shutDown() { honest.shutDown() }

    private func uploadAgain() {
        guard let begun else { return }
        loop.post { [self] in
            _ = honest.start(
                begun,
                Watching(nil) { [self] head, _ in
                    guard let url = head?.headers["X-Goog-Upload-URL"] else { return }
                    var body = TransportRequest(method: "POST", url: url)
                    body.headers = [
                        "X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0",
                    ]
                    let size = begun.headers["X-Goog-Upload-Header-Content-Length"]
                    body.body = .bytes([UInt8](repeating: 7, count: size.flatMap { Int($0) } ?? 0))
                    let carried = body
                    loop.post { [honest] in _ = honest.start(carried, Watching(nil) { _, _ in }) }
                })
        }
    }
}

private final class Watching: TransportSink {
    private let sink: (any TransportSink)?
    private let isOver: (ResponseHead?, TransportFailure?) -> Void
    private var head: ResponseHead?

    init(
        _ sink: (any TransportSink)?,
        _ isOver: @escaping (ResponseHead?, TransportFailure?) -> Void
    ) {
        self.sink = sink
        self.isOver = isOver
    }

    var isFull: Bool { sink?.isFull ?? false }

    func received(_ head: ResponseHead) {
        self.head = head
        sink?.received(head)
    }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool { sink?.received(bytes) ?? true }

    func ended(_ failure: TransportFailure?) {
        sink?.ended(failure)
        isOver(head, failure)
    }
}
