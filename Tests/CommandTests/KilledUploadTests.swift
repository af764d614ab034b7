import Foundation
import Glibc
import StorageModel
import TestSupport
import Testing
import WireProbe

/// An upload of the library in processes of its own, of which the first is killed.
@Suite("Upload across processes")
struct KilledUploadTests {
    /// Two chunks of 8 MiB and a rest.
    private static let bytes = SyntheticContent(size: 20 << 20, seed: 5).allBytes
    private static let chunk = 8 << 20

    /// The second chunk of the first session never ends.
    private static let scenario = """
        title: An upload that is killed in its second chunk
        source: [D5]
        faults:
          - match: upload.chunk#2
            where: {session: 1}
            at: request-body 100KiB
            do: {stall: forever}
        steps:
          - {upload: a/b.bin, as: up, data: {size: 20MiB, seed: 5}}
        expect:
          invariants:
            except: [no-complaint, stored-bytes]
            why: The end of the killed client's connection stands unseen; the file may have changed.
        """

    private struct Exchange {
        let ordinal: Int
        let operation: String
        let offset: Int
        let received: Int
        let committed: Int
        let status: Int?

        init?(_ line: String) {
            guard
                let fields = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                    as? [String: Any],
                let operation = fields["operation"] as? String
            else { return nil }
            ordinal = fields["ordinal"] as? Int ?? 0
            self.operation = operation
            offset = fields["offset"] as? Int ?? 0
            received = fields["received"] as? Int ?? 0
            committed = fields["committed"] as? Int ?? 0
            status = fields["status"] as? Int
        }
    }

    private func client(_ served: Served) -> Process {
        let process = Process()
        process.executableURL = Command.products.appending(path: "squall-transfer-client")
        process.arguments = [
            "\(served.port)", "put-file", "a/b.bin",
            served.scratch.url.appending(path: "bytes").path,
            served.scratch.url.appending(path: "session").path,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        return process
    }

    /// Kills a client inside its second chunk, does something, and lets another one go on.
    private func killAndGoOn(
        _ between: (Scratch) throws -> Void = { _ in }
    ) throws -> (status: Int32, exchanges: [Exchange], resource: [String: Any]) {
        let served = try Served(
            ["--journal", "journal", "--scenario", "scenario.yaml"],
            files: ["bytes": Data(Self.bytes), "scenario.yaml": Data(Self.scenario.utf8)])
        let first = client(served)
        try first.run()
        try served.scratch.wait(for: "the first chunk") {
            try served.output.contains("#2 upload.chunk")
        }
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        #expect(first.terminationReason == .uncaughtSignal)
        try between(served.scratch)
        let second = client(served)
        try second.run()
        second.waitUntilExit()
        let answer = try served.request("GET", "/v0/b/demo.appspot.com/o/a%2Fb.bin")
        let resource =
            try JSONSerialization.jsonObject(with: Data(answer?.body ?? [])) as? [String: Any]
        let exchanges = try served.stop().compactMap(Exchange.init)
        return (second.terminationStatus, exchanges, resource ?? [:])
    }

    @Test("Sends only the rest after its process was killed, and makes one object")
    func goesOn() throws {
        let (status, exchanges, resource) = try killAndGoOn()
        #expect(status == 0)
        #expect(resource["size"] as? String == "\(Self.bytes.count)")
        #expect(resource["metageneration"] as? String == "1")
        #expect(exchanges.count { $0.operation == "upload.start" } == 1)
        #expect(exchanges.count { $0.operation == "upload.finalize" && $0.status == 200 } == 1)
        let query = try #require(exchanges.first { $0.operation == "upload.query" })
        let rest = exchanges.filter { $0.ordinal > query.ordinal && $0.received > 0 }
        #expect(rest.map(\.offset) == [Self.chunk, 2 * Self.chunk])
        #expect(rest.map(\.received).reduce(0, +) == Self.bytes.count - Self.chunk)
        #expect(exchanges.map(\.committed).reduce(0, +) == Self.bytes.count)
    }

    @Test("Begins anew with a file that was changed meanwhile")
    func changed() throws {
        let other = Data(repeating: 3, count: Self.bytes.count)
        let (status, exchanges, resource) = try killAndGoOn { try $0.file("bytes", other) }
        #expect(status == 0)
        #expect(exchanges.count { $0.operation == "upload.start" } == 2)
        #expect(exchanges.count { $0.operation == "upload.query" } == 0)
        #expect(resource["size"] as? String == "\(Self.bytes.count)")
    }
}
