import ClientDriver
import EventLoop
import StorageModel
import TestSupport
import Testing

/// Several children of one driver, one after the other, and scenarios that ask nothing of them.
private final class Stage {
    let loop: EventLoop
    private(set) var links: [ScriptedLink] = []
    /// Done to each child when it is started, by its number from 0.
    var prepare: (Int, ScriptedLink) -> Void = { _, _ in }
    private(set) lazy var driver = makeDriver()

    init(_ loop: EventLoop) { self.loop = loop }

    private func makeDriver() -> StdioDriver {
        var limits = StdioDriver.Limits()
        limits.end = .milliseconds(50)
        return StdioDriver(loop: loop, name: "script", limits: limits) { [unowned self] driver in
            let link = ScriptedLink(loop: loop, owner: driver)
            prepare(links.count, link)
            links.append(link)
            return link
        }
    }

    private static let configuration = ClientConfiguration(
        run: 1, port: 9, bucket: "b", workingDirectory: "/nowhere")

    /// Begins a scenario, and does something once the call has returned.
    func begin(_ sink: ZooSink, then: () -> Void = {}) async -> ClientReply {
        await withCheckedContinuation { done in
            driver.configure(Self.configuration, sink: sink) { done.resume(returning: $0) }
            then()
        }
    }

    /// A whole scenario.
    func serve() async -> Bool {
        let sink = ZooSink()
        guard case .success = await driver.hello() else { return false }
        let reply = await begin(sink)
        return await driver.end() == reply && sink.seen.isEmpty
    }
}

@Suite("What a client does after its scenario")
struct AftermathTests {
    /// When it does it, and is seen to.
    enum Moment: CaseIterable {
        /// There is no scenario.
        case over
        /// The next one has begun, and the client was not told of it.
        case begun
        /// It was told of it and has not answered.
        case asked
    }

    /// What became of the second of two scenarios.
    private struct Second: Sendable {
        var reply: ClientReply?
        var seen: [String] = []
        var blamed: String?
        var aftermath: [String] = []
        var children = 0
    }

    /// - Parameters:
    ///   - deed: what the first child does at that moment.
    ///   - fresh: what makes the second child another one than it should be.
    private static func second(
        _ moment: Moment, _ deed: @escaping @Sendable (ScriptedLink) -> Void,
        fresh: @escaping @Sendable (ScriptedLink) -> Void = { _ in }
    ) async throws -> Second {
        try await runLoop { loop in
            let stage = Stage(loop)
            stage.prepare = { if $0 == 1 { fresh($1) } }
            #expect(await stage.serve())
            let first = try #require(stage.links.first)
            if moment == .asked { first.instead["configure"] = deed }
            if moment == .over { deed(first) }
            _ = await stage.driver.hello()
            let sink = ZooSink()
            var second = Second()
            second.reply = await stage.begin(sink) { if moment == .begun { deed(first) } }
            second.aftermath = stage.driver.takeAftermath().map(\.description)
            second.seen = sink.seen
            second.blamed = sink.blamed?.description
            _ = await stage.driver.end()
            await stage.driver.stop()
            #expect(stage.driver.takeAftermath() == [])
            second.children = stage.links.count
            return second
        }
    }

    @Test(
        "Until it has answered anything of the next scenario it is held against the one before",
        arguments: Moment.allCases, ScriptedLink.Deed.allCases)
    func before(moment: Moment, deed: ScriptedLink.Deed) async throws {
        let second = try await Self.second(moment) { $0.act(deed) }
        #expect(second.reply == .result(.done))
        #expect(second.seen == [])
        #expect(second.aftermath.count == 1)
        #expect(second.aftermath.first?.hasPrefix(deed.description) == true)
        #expect(second.children == 2)
    }

    @Test(
        "One that exits with code 0 is started again, and nobody is blamed",
        arguments: Moment.allCases)
    func exitsWell(moment: Moment) async throws {
        let second = try await Self.second(moment) { $0.end(.exited(0)) }
        #expect(second.reply == .result(.done))
        #expect(second.seen == [])
        #expect(second.aftermath == [])
        #expect(second.children == 2)
    }

    @Test(
        "What a fresh client does as well at the same question is that scenario's own",
        arguments: ScriptedLink.Deed.allCases)
    func repeated(deed: ScriptedLink.Deed) async throws {
        let second = try await Self.second(.asked) {
            $0.act(deed)
        } fresh: {
            $0.instead["configure"] = { $0.act(deed) }
        }
        #expect(second.reply == .lost)
        #expect(second.blamed?.hasPrefix(deed.description) == true)
        #expect(second.aftermath == [])
        #expect(second.children == 2)
    }

    @Test("One that is silent when it is told of the next scenario broke in the one before")
    func silent() async throws {
        let second = try await Self.second(.asked) { _ in }
        #expect(second.reply == .result(.done))
        #expect(second.seen == [])
        #expect(second.aftermath == ["gave no answer to 'configure' within 50ms"])
        let again = try await Self.second(.asked) { _ in
        } fresh: {
            $0.instead["configure"] = { _ in }
        }
        #expect(again.blamed == "gave no answer to 'configure' within 50ms")
        #expect(again.aftermath == [])
    }

    @Test("A fresh client that never says hello does not clear the one before it")
    func noHello() async throws {
        let second = try await Self.second(.asked) {
            $0.act(.crash)
        } fresh: {
            $0.instead["hello"] = { $0.act(.exit3) }
        }
        #expect(second.blamed == "exited with code 3 before it answered 'hello'")
        #expect(second.aftermath == ["was killed by signal 11 before it answered 'configure'"])
    }

    @Test(
        "A fresh client that says something else of itself than the one before it is not asked",
        arguments: [Moment.begun, .asked])
    func saysElse(moment: Moment) async throws {
        let second = try await Self.second(moment) {
            $0.end(.exited(0))
        } fresh: {
            $0.instead["hello"] = {
                let hello = #"{"name":"s","version":"2","protocol":1,"capabilities":["list"]}"#
                $0.say(#"{"answer":1,"hello":\#(hello)}"#)
            }
        }
        #expect(second.reply == .lost)
        let words = [
            "its version was '1' and is '2'", "it no longer offers upload.data",
            "it newly offers list",
        ].joined(separator: ", ")
        #expect(second.blamed == "says something else of itself than before: \(words)")
        #expect(second.aftermath == [])
        #expect(second.children == 2)
    }

    @Test("One that closed a pipe just before its time was over is blamed for that")
    func closesAtTheLastMoment() async throws {
        let blamed = try await runLoop { loop in
            let stage = Stage(loop)
            // Its time is 50 ms; that nobody reads any more is told after that.
            stage.prepare = { _, link in
                link.instead["configure"] = { link in
                    link.isPipeClosed = true
                    loop.realTimer(after: .milliseconds(60)) { link.onInputEnd() }
                }
            }
            let sink = ZooSink()
            _ = await stage.begin(sink)
            _ = await stage.driver.end()
            await stage.driver.stop()
            return sink.blamed
        }
        #expect(blamed == .closedInput(command: "configure"))
    }

    // MARK: The last scenario

    private static func farewell(
        _ deed: ScriptedLink.Deed?, then end: @escaping @Sendable (Stage) async -> Void
    ) async throws -> [String] {
        try await runLoop { loop in
            let stage = Stage(loop)
            stage.prepare = { $1.farewell = deed }
            await end(stage)
            await stage.driver.stop()
            return stage.driver.takeAftermath().map(\.description)
        }
    }

    @Test("The last one is heard until it ends", arguments: ScriptedLink.Deed.allCases)
    func last(deed: ScriptedLink.Deed) async throws {
        let aftermath = try await Self.farewell(deed) { #expect(await $0.serve()) }
        #expect(aftermath.count == 1)
        #expect(aftermath.first?.hasPrefix(deed.description) == true)
    }

    @Test("One that ends well is not blamed")
    func lastWell() async throws {
        let aftermath = try await Self.farewell(nil) { #expect(await $0.serve()) }
        #expect(aftermath == [])
    }

    @Test(
        "One that is stopped in the middle, or has served nothing, has nothing to be blamed for",
        arguments: ScriptedLink.Deed.allCases)
    func stopped(deed: ScriptedLink.Deed) async throws {
        let unserved = try await Self.farewell(deed) { _ = await $0.driver.hello() }
        #expect(unserved == [])
        let midway = try await Self.farewell(deed) { _ = await $0.begin(ZooSink()) }
        #expect(midway == [])
    }
}
