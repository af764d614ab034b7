import Foundation
import StorageModel
import Testing

@testable import CloudStorage

/// What the upload machine decides, without a server.
@Suite("Upload machine")
struct UploadMachineTests {
    private static let path = StoragePath(bucket: "b", object: "o")
    private static let unit: Int64 = 262_144
    private static let total: Int64 = 600_000
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let began: Int64 = 784_111_777_000

    /// A machine whose session is there and whose first body is under way.
    private func started(limit: Duration = .seconds(60), chunk: Int64 = unit) -> UploadMachine {
        var machine = UploadMachine(
            path: Self.path, total: Self.total, chunkSize: chunk, wanted: MetadataFields(),
            budget: RetryBudget(limit: limit, random: SplitMix64(seed: 1)))
        _ = machine.begin()
        _ = machine.answered(Self.start("/session"), at: .zero)
        return machine
    }

    private static func start(_ url: String?) -> StorageReply {
        var headers: HTTPHeaders = ["X-Goog-Upload-Status": "active", "Date": date]
        headers["X-Goog-Upload-URL"] = url
        return StorageReply(status: 200, headers: headers)
    }

    private static func active(_ size: Int64?, status: Int = 200) -> StorageReply {
        var headers: HTTPHeaders = ["X-Goog-Upload-Status": "active"]
        headers["X-Goog-Upload-Size-Received"] = size.map(String.init)
        return StorageReply(status: status, headers: headers)
    }

    private static func resource(_ size: Int64, created: Int64) -> StorageReply {
        let text = """
            {"name":"o","size":"\(size)","timeCreated":"\(InternetTime.text(created))"}
            """
        return StorageReply(status: 200, body: Array(text.utf8))
    }

    private func failure(_ actions: [UploadMachine.Action]) -> StorageFailure? {
        guard case .fail(let failure)? = actions.last else { return nil }
        return failure
    }

    private func waits(_ actions: [UploadMachine.Action], for step: UploadMachine.Step) -> Bool {
        guard case .wait(_, let next)? = actions.last else { return false }
        return next == step
    }

    private static let reset = TransportFailure(fault: .reset, message: "", wasSent: true)

    // MARK: The session's address

    @Test(
        "Fails at once where the address of the session is none",
        arguments: [nil, "", "nowhere", "ftp://h/x", "http://", "https://h:0/x"])
    func noAddress(url: String?) {
        var machine = UploadMachine(
            path: Self.path, total: 1, chunkSize: 1, wanted: MetadataFields(),
            budget: RetryBudget(limit: .seconds(9), random: SplitMix64(seed: 1)))
        _ = machine.begin()
        let failure = failure(machine.answered(Self.start(url), at: .zero))
        #expect(failure?.code == .unknown)
        #expect(failure?.status == 200)
    }

    // MARK: What the server says it holds

    @Test("Goes on where the query says, wherever that is in what was sent")
    func goesOn() {
        for size in [0, 1, 100_000, 262_144] as [Int64] {
            var machine = started()
            _ = machine.broke(Self.reset, at: .zero)
            _ = machine.waited(for: .query)
            let actions = machine.answered(Self.active(size), at: .seconds(1))
            let length = min(Self.unit, Self.total - size)
            #expect(
                actions.last == .send(.body(offset: size, length: length, isLast: false)))
        }
    }

    @Test("Never sends what follows bytes that were not sent", arguments: [262_145, 600_000])
    func claims(size: Int64) {
        var machine = started()
        _ = machine.broke(Self.reset, at: .zero)
        _ = machine.waited(for: .query)
        let asked = failure(machine.answered(Self.active(size), at: .seconds(1)))
        #expect(asked?.code == .unknown)
        var other = started()
        #expect(failure(other.answered(Self.active(size), at: .zero))?.code == .unknown)
    }

    @Test("Goes back where confirmed bytes are gone, and gives up where they always are")
    func loses() {
        var machine = started(limit: .seconds(20))
        _ = machine.answered(Self.active(Self.unit), at: .zero)
        var now = Duration.zero
        var rounds = 0
        while rounds < 100 {
            rounds += 1
            let actions = machine.broke(Self.reset, at: now)
            if case .waitAndFail(let rest, let failure)? = actions.last {
                #expect(failure.code == .retryLimitExceeded)
                #expect(failure.transport == .reset)
                #expect(now + rest == .seconds(20))
                break
            }
            guard case .wait(let wait, .query)? = actions.last else {
                Issue.record("\(actions)")
                return
            }
            now += wait
            _ = machine.waited(for: .query)
            let back = machine.answered(Self.active(0), at: now)
            #expect(
                back.last == .send(.body(offset: 0, length: Self.unit, isLast: false)))
            _ = machine.answered(Self.active(Self.unit), at: now)
        }
        #expect(rounds < 10)
        #expect(machine.confirmed == Self.unit)
    }

    // MARK: Answers by their class

    @Test("After an answer to a body asks what was kept", arguments: [408, 423, 429, 500, 599])
    func passing(status: Int) {
        var machine = started()
        #expect(waits(machine.answered(StorageReply(status: status), at: .zero), for: .query))
        #expect(waits(machine.answered(StorageReply(status: status), at: .zero), for: .query))
    }

    @Test(
        "After a refusal of a session that goes on asks too", arguments: [400, 405, 409, 412, 416])
    func queried(status: Int) {
        var machine = started()
        #expect(waits(machine.answered(Self.active(nil, status: status), at: .zero), for: .query))
        var other = started()
        let refused = failure(other.answered(StorageReply(status: status), at: .zero))
        #expect(refused?.status == status)
        #expect(refused?.code == .unknown)
    }

    @Test("Begins a lost session anew once, without a wait", arguments: [404, 410])
    func restarts(status: Int) {
        var machine = started()
        #expect(
            machine.answered(StorageReply(status: status), at: .zero)
                == [.progressed(0), .send(.start)])
        _ = machine.answered(Self.start("/again"), at: .zero)
        #expect(machine.session?.url == "/again")
        let failure = failure(machine.answered(StorageReply(status: status), at: .zero))
        #expect(failure?.code == (status == 404 ? .objectNotFound : .unknown))
        #expect(failure?.status == status)
    }

    @Test("Waits as long as an answer asks for, and no longer than the limit")
    func retryAfter() {
        func reply(_ seconds: Int) -> StorageReply {
            StorageReply(status: 429, headers: ["Retry-After": "\(seconds)"])
        }
        var machine = started()
        #expect(machine.answered(reply(7), at: .zero) == [.wait(.seconds(7), .query)])
        var other = started()
        let actions = other.answered(reply(100), at: .seconds(10))
        guard case .waitAndFail(let rest, let failure)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(rest == .seconds(60))
        #expect(failure.headers["Retry-After"] == "100")
        #expect(failure.code == .retryLimitExceeded)
    }

    // MARK: The final answer is lost, and then the session

    /// The last body went out, its answer did not come, and the session is gone.
    private func afterLoss(_ sent: TransportFailure = reset) -> UploadMachine {
        var machine = started(chunk: 1 << 20)
        _ = machine.broke(sent, at: .zero)
        _ = machine.waited(for: .query)
        return machine
    }

    private static let gone = StorageReply(status: 404)

    @Test("Asks whether the object is there before it begins anew, and stores it once")
    func storedOnce() {
        var machine = afterLoss()
        #expect(machine.answered(Self.gone, at: .zero) == [.send(.metadata)])
        let found = machine.answered(Self.resource(Self.total, created: Self.began), at: .zero)
        guard case .compare(let resource)? = found.first else {
            Issue.record("\(found)")
            return
        }
        var other = machine
        #expect(machine.compared(resource, isEqual: true) == [.succeed(resource)])
        #expect(machine.isFinal)
        #expect(
            other.compared(resource, isEqual: false) == [.progressed(0), .send(.start)])
    }

    @Test("Begins anew where the object is another's, or is not there, or may not be read")
    func notStored() {
        let answers = [
            Self.resource(Self.total, created: Self.began - 1),
            Self.resource(Self.total - 1, created: Self.began),
            Self.gone, StorageReply(status: 403), StorageReply(status: 400),
            StorageReply(status: 200, body: Array("{}".utf8)),
        ]
        for answer in answers {
            var machine = afterLoss()
            _ = machine.answered(Self.gone, at: .zero)
            #expect(
                machine.answered(answer, at: .zero) == [.progressed(0), .send(.start)],
                "\(answer.status)")
        }
        var machine = afterLoss()
        _ = machine.answered(Self.gone, at: .zero)
        #expect(
            machine.answered(StorageReply(status: 401), at: .zero) == [.refreshToken(.metadata)])
        #expect(machine.tokenRefused() == [.progressed(0), .send(.start)])
    }

    @Test("Asks nothing where the last body cannot have been applied")
    func notSent() {
        var machine = afterLoss(TransportFailure(fault: .refused, message: ""))
        #expect(machine.answered(Self.gone, at: .zero) == [.progressed(0), .send(.start)])
        var early = started()
        _ = early.broke(Self.reset, at: .zero)
        _ = early.waited(for: .query)
        #expect(early.answered(Self.gone, at: .zero) == [.progressed(0), .send(.start)])
        var later = started(chunk: 1 << 20)
        _ = later.answered(StorageReply(status: 429), at: .zero)
        _ = later.waited(for: .query)
        #expect(later.answered(Self.gone, at: .zero) == [.progressed(0), .send(.start)])
    }

    @Test("Goes on with the query after a pause in between")
    func paused() {
        var machine = afterLoss()
        _ = machine.answered(Self.gone, at: .zero)
        #expect(machine.begin() == [.send(.query)])
        #expect(machine.answered(Self.gone, at: .zero) == [.send(.metadata)])
    }

    // MARK: Breaks

    @Test("Tries every break again but that of a server which cannot be trusted")
    func breaks() {
        for fault in TransportFault.allCases {
            var machine = started()
            let broken = TransportFailure(fault: fault, message: "")
            let actions = machine.broke(broken, at: .zero)
            if fault == .tls || fault == .tooManyRedirects {
                #expect(failure(actions)?.transport == fault)
            } else {
                #expect(waits(actions, for: .query), "\(fault)")
            }
        }
    }

    @Test("Takes nothing again with a limit of zero, and names the last cause")
    func noLimit() {
        var machine = started(limit: .zero)
        let actions = machine.broke(Self.reset, at: .seconds(3))
        guard case .waitAndFail(.zero, let failure)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(failure.transport == .reset)
    }
}
