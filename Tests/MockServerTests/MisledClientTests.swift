import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Clients that a fault has misled", .serialized)
struct MisledClientTests {
    private static let unit = 262_144

    private func complaints(
        _ faults: [FaultRule], _ body: (ServerRun, WireProbe) throws -> Void
    ) throws -> [String] {
        var names: [String] = []
        try withServer(faults, settings: .made { $0.give("x", 10) }) { run in
            try body(run, try run.probe())
            names = try run.on { $0.complaints.map(\.name) }
        }
        return names
    }

    @Test(
        "A session that claims more than it holds is to blame for the hole",
        arguments: [true, false])
    func claim(lies: Bool) throws {
        let rule = try fault(
            "upload.query", at: .beforeCommit, .backend(.session(.claim(Int64(Self.unit)))))
        let names = try complaints(lies ? [rule] : []) { _, probe in
            let target = try probe.startUpload("a")
            _ = try probe.query(target)
            #expect(
                try probe.chunk(target, offset: 2 * Self.unit, sample(Self.unit)).status == 400)
        }
        #expect(names == (lies ? [] : ["offset-mismatch"]))
    }

    @Test("A session that loses bytes is to blame for what comes after them")
    func lose() throws {
        let rule = try fault(
            "upload.chunk", .exactly(1), at: .afterCommit,
            .backend(.session(.lose(Int64(Self.unit)))))
        let names = try complaints([rule]) { _, probe in
            let target = try probe.startUpload("a")
            #expect(try probe.chunk(target, offset: 0, sample(Self.unit)).status == 200)
            #expect(
                try probe.chunk(target, offset: Self.unit, sample(Self.unit)).status == 400)
        }
        #expect(names == [])
    }

    @Test(
        "Bytes that were never kept, or kept beyond what came, are a lie",
        arguments: [
            CommitAmount.none, .bytes(100), .more(4096), .twice,
        ])
    func commit(amount: CommitAmount) throws {
        let rule = try fault(
            "upload.chunk", .exactly(1), at: .beforeCommit, commit: amount, .delay(.fixed(.zero)))
        let names = try complaints([rule]) { _, probe in
            let target = try probe.startUpload("a")
            _ = try probe.chunk(target, offset: 0, sample(Self.unit))
            #expect(
                try probe.chunk(target, offset: Self.unit, sample(Self.unit)).status == 400)
        }
        #expect(names == [])
    }

    @Test("A forged answer to the start request is a lie about the session")
    func forgedStart() throws {
        var edit = HeaderEdit()
        edit.set = [HeaderValue("X-Goog-Upload-Chunk-Granularity", .text("1000"))]
        for phase in [FaultPhase.beforeCommit, .responseHead] {
            let names = try complaints([try fault("upload.start", at: phase, .headers(edit))]) {
                _, probe in
                let target = try probe.startUpload("a")
                #expect(try probe.chunk(target, offset: 0, sample(1000)).status == 400)
            }
            #expect(names == [])
        }
    }

    @Test("A URL that a fault told is nobody's mistake", arguments: [true, false])
    func forgedURL(lies: Bool) throws {
        var edit = HeaderEdit()
        edit.set = [HeaderValue("X-Goog-Upload-URL", .text("http://localhost:1/elsewhere?x=1"))]
        let rules = [
            try fault("upload.start", at: .responseHead, .headers(edit)),
            try fault("download", at: .beforeCommit, position: 2, .redirect(.target("/nowhere"))),
        ]
        let names = try complaints(lies ? rules : []) { _, probe in
            _ = try probe.exchange(
                "POST", "\(WireProbe.objects)?name=a", fields: WireProbe.command("start"))
            #expect(try probe.get("x").status == (lies ? 307 : 200))
            for target in ["/elsewhere?x=1", "/nowhere"] {
                #expect(try probe.exchange("GET", target).status == 404)
            }
        }
        #expect(names == (lies ? [] : ["unknown-route", "unknown-route"]))
    }

    @Test("A body that a fault falsified is not its client's")
    func falsifiedBody() throws {
        let rule = try fault("upload.start", at: .requestBody(.bytes(0)), .corrupt(.zero(1)))
        let names = try complaints([rule]) { _, probe in
            let answer = try probe.exchange(
                "POST", "\(WireProbe.objects)?name=a", fields: WireProbe.command("start"),
                body: Array("{}".utf8))
            #expect(answer.status == 400)
        }
        #expect(names == [])
    }
}
