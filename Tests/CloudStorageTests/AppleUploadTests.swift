import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Uploads of the behaviour apple")
struct AppleUploadTests {
    private static func machine(_ limit: Duration = .seconds(600)) -> UploadMachine {
        let behaviour = StorageBehaviour.apple
        func budget(_ rule: RetryRule) -> RetryBudget {
            RetryBudget(limit: limit, random: SplitMix64(seed: 1), rule: rule)
        }
        var machine = UploadMachine(
            path: StoragePath(bucket: "b", object: "o"), total: 100, chunkSize: 40,
            wanted: MetadataFields(), budget: budget(behaviour.retries.requests))
        machine.behave(
            behaviour.retries, behaviour.checks, behaviour.retries.chunks.map(budget))
        return machine
    }

    private static func started(_ limit: Duration = .seconds(600)) -> UploadMachine {
        var machine = machine(limit)
        _ = machine.begin()
        _ = machine.answered(
            StorageReply(
                status: 200,
                headers: [
                    "X-Goog-Upload-Status": "active", "X-Goog-Upload-URL": "http://h/s",
                    "X-Goog-Upload-Chunk-Granularity": "10",
                ]), at: .zero)
        return machine
    }

    private static func active(_ size: Int64? = nil, status: Int = 200) -> StorageReply {
        var reply = StorageReply(status: status, headers: ["X-Goog-Upload-Status": "active"])
        reply.headers["X-Goog-Upload-Size-Received"] = size.map(String.init)
        return reply
    }

    @Test("A chunk that fails is asked about at once, and every later one waits")
    func chunkThatFails() {
        var machine = Self.started()
        #expect(machine.answered(StorageReply(status: 503), at: .zero) == [.send(.query)])
        let next = UploadMachine.Step.body(offset: 10, length: 40, isLast: false)
        #expect(
            machine.answered(Self.active(10), at: .zero)
                == [.progressed(10), .wait(.seconds(1), next)])
        #expect(machine.waited(for: next) == .send(next))
        let last = UploadMachine.Step.body(offset: 50, length: 40, isLast: false)
        #expect(
            machine.answered(Self.active(50), at: .zero)
                == [.progressed(50), .wait(.seconds(1), last)])
        _ = machine.waited(for: last)
        #expect(machine.answered(StorageReply(status: 502), at: .zero) == [.send(.query)])
        #expect(
            machine.answered(Self.active(50), at: .zero) == [.wait(.seconds(2), last)])
    }

    @Test("A query that fails is the end", arguments: [408, 429, 500, 503, 404])
    func queryThatFails(status: Int) {
        var machine = Self.started()
        _ = machine.answered(StorageReply(status: 503), at: .zero)
        let actions = machine.answered(StorageReply(status: status), at: .zero)
        guard case .fail(let failure)? = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
        #expect(failure.status == status)
        #expect(failure.code == (status == 404 ? .objectNotFound : .unknown))
    }

    @Test("A query that breaks is the end, and one that says nothing is")
    func queryWithoutAnswer() {
        var machine = Self.started()
        _ = machine.answered(StorageReply(status: 503), at: .zero)
        var other = machine
        let broken = TransportFailure(fault: .reset, message: "")
        guard case .fail? = machine.broke(broken, at: .zero).first else {
            Issue.record("a broken query is not the end")
            return
        }
        guard case .fail? = other.answered(Self.active(), at: .zero).first else {
            Issue.record("a query without a size is not the end")
            return
        }
    }

    @Test(
        "A refusal by an active session is asked about, whatever the limit", arguments: [401, 412])
    func refusedWhileActive(status: Int) {
        var machine = Self.started(.seconds(1))
        #expect(machine.answered(Self.active(status: status), at: .zero) == [.send(.query)])
    }

    @Test("Where the limit leaves no try, a chunk that fails is the end")
    func noTries() {
        var machine = Self.started(.seconds(1))
        let actions = machine.answered(StorageReply(status: 503), at: .zero)
        guard case .fail(let failure)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(failure.code == .unknown && failure.status == 503)
    }

    @Test("A session that is gone is not begun anew", arguments: [404, 410])
    func lostSession(status: Int) {
        var machine = Self.started()
        let actions = machine.answered(StorageReply(status: status), at: .zero)
        guard case .fail? = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
    }

    @Test("A last answer that is no metadata is an error, and one of another size is none")
    func lastAnswer() {
        var machine = Self.started()
        var reply = StorageReply(status: 200, headers: ["X-Goog-Upload-Status": "final"])
        reply.body = Array("nonsense".utf8)
        var other = machine
        guard case .fail? = machine.answered(reply, at: .zero).first else {
            Issue.record("no metadata is no error")
            return
        }
        reply.body = Array("{\"name\": \"o\", \"size\": \"7\"}".utf8)
        guard case .succeed(let resource)? = other.answered(reply, at: .zero).first else {
            Issue.record("metadata of another size are an error")
            return
        }
        #expect(resource.size == 7)
    }

    // MARK: Bytes that go out

    private final class Bytes: BodyReader {
        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
            buffer.count
        }
    }

    /// What is told when a part of 200,000 bytes from 100,000 on is read in pieces.
    private static func told(_ piece: Int, again: Bool = false) -> [Int64] {
        let told = Recorder<Int64>()
        let sent = SentBytes(Bytes(), from: 100_000, length: 200_000) { told.append($0) }
        for _ in 0..<(again ? 2 : 1) {
            var offset: Int64 = 100_000
            while offset < 300_000 {
                let buffer = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: min(piece, Int(300_000 - offset)), alignment: 1)
                offset += Int64(sent.read(at: offset, into: buffer) ?? 0)
                buffer.deallocate()
            }
        }
        return told.values
    }

    @Test("Sent bytes are told at each unit and at the end, however they are read")
    func sentBytes() {
        let marks: [Int64] = [131_072, 196_608, 262_144, 300_000]
        for piece in [1000, 16_384, 65_536, 200_000] { #expect(Self.told(piece) == marks) }
        #expect(Self.told(50_000, again: true) == marks, "what is read twice is told once")
    }
}
