import FaultEngine
import StorageModel
import Testing

@Suite("Faults that come and go")
struct ChangingFaultsTests {
    @Test("An added rule counts the exchanges from its coming on")
    func countsFromNow() throws {
        var bench = FaultBench([])
        #expect(bench.exchange(.download) == [])
        try bench.injector.add([rule(1, "download", .exactly(2))])
        #expect(bench.exchange(.download) == [])
        #expect(bench.exchange(.download) == [1])
        #expect(bench.injector.firedCounts == [1])
    }

    @Test("A removed rule fires no more, also on an exchange whose head was read before")
    func removedBeforeItsMoment() throws {
        var bench = FaultBench([rule(1, "download"), rule(2, "download")])
        var plan = bench.head(.download)
        let account = bench.injector.remove(position: 1)
        #expect(account?.fired == 0 && account?.isRemoved == true && account?.fitting == 1)
        #expect(bench.fire(.beforeCommit, &plan) == [2])
        #expect(bench.injector.rules.map(\.position) == [2])
        #expect(bench.injector.firedCounts == [1])
        #expect(bench.injector.unfired.isEmpty)
    }

    @Test("A rule can be removed once")
    func removedOnce() {
        var bench = FaultBench([rule(1, "download")])
        let removed = [2, 1, 1].map { bench.injector.remove(position: $0)?.rule.position }
        #expect(removed == [nil, 1, nil])
    }

    @Test("A position is never given twice")
    func positions() throws {
        var bench = FaultBench([rule(1, "download"), rule(2, "list")])
        #expect(bench.injector.nextPosition == 3)
        _ = bench.injector.remove(position: 2)
        #expect(bench.injector.nextPosition == 3)
        #expect(FaultBench([]).injector.nextPosition == 1)
    }

    @Test("Accounts keep what a removed rule did, and why it had not fired when it went")
    func accounts() throws {
        var bench = FaultBench([rule(1, "download"), rule(2, "download", .exactly(5))])
        _ = bench.exchange(.download)
        _ = bench.injector.remove(position: 1)
        _ = bench.injector.remove(position: 2)
        let word = bench.injector.accounts[1].unfired
        for _ in 0..<8 { _ = bench.exchange(.download) }
        #expect(bench.injector.accounts.map(\.fired) == [1, 0])
        #expect(bench.injector.accounts.map(\.isRemoved) == [true, true])
        #expect(bench.injector.accounts[0].unfired == nil)
        #expect(word?.hasPrefix("`download#5` never came") == true)
        #expect(bench.injector.accounts[1].unfired == word)
    }

    @Test("Beyond the limit of one run nothing of a list is added")
    func limit() throws {
        var bench = FaultBench([])
        let many = (1...FaultInjector.ruleLimit).map { rule($0, "list") }
        try bench.injector.add(many)
        #expect(throws: TooManyFaults(limit: FaultInjector.ruleLimit)) {
            try bench.injector.add([rule(20_000, "download")])
        }
        #expect(bench.exchange(.download) == [])
    }

    @Test("Draws of an added rule are those of a rule of the same position from the start")
    func sameDraws() throws {
        var first = FaultBench([rule(1, "list"), rule(2, "download", chance: 0.5)])
        var second = FaultBench([rule(1, "list")])
        try second.injector.add([rule(2, "download", chance: 0.5)])
        let one = (0..<64).map { _ in first.exchange(.download) }
        let other = (0..<64).map { _ in second.exchange(.download) }
        #expect(one == other)
        #expect(Set(one).count == 2)
    }

    @Test("A gate's release is remembered, also for a rule that comes later, until it is closed")
    func gates() throws {
        let gate = Trigger.gate(name: "go")
        let held = rule("download", actions: [.hold(until: gate, atMost: nil)])
        var bench = FaultBench([held])
        #expect(bench.injector.gates.map(\.name) == ["go"])
        #expect(bench.injector.gates[0].released == nil)
        bench.injector.noteGate("go", at: .seconds(3))
        #expect(bench.injector.gates[0].released == .seconds(3))
        try bench.injector.add([held])
        #expect(bench.injector.gates.count == 1)
        #expect(bench.injector.happened(gate, now: .seconds(4)))
        bench.injector.closeGate("go")
        #expect(!bench.injector.happened(gate, now: .seconds(5)))
        #expect(bench.injector.gates[0].released == nil)
    }

    @Test("A trigger tells the gates that it names")
    func namedGates() {
        let trigger = Trigger.all([
            .gate(name: "a"), .time(.seconds(1)), .all([.gate(name: "b"), .step(name: "s")]),
        ])
        #expect(trigger.gates == ["a", "b"])
    }
}
