import EventLoop
import Foundation
import Stress
import Testing

/// Short runs of what `Conformance/stress/run` does at length. `SQUALL_STRESS` multiplies them.
@Suite("Stress runs", .serialized)
struct StressRunTests {
    private static let factor =
        ProcessInfo.processInfo.environment["SQUALL_STRESS"].flatMap { Int($0) } ?? 1

    private static func seed() -> UInt64 { UInt64.random(in: 0...UInt64(UInt32.max)) }

    private static func text(_ findings: [StressFinding], _ seed: UInt64) -> String {
        let lines = findings.first.map { finding in
            ([finding.place] + finding.violations.map(\.description) + finding.tape)
        }
        return (["seed \(seed)"] + (lines ?? [])).joined(separator: "\n")
    }

    @Test("Three threads and callbacks never make a scripted task break a rule")
    func threeThreads() throws {
        let seed = Self.seed()
        var settings = ScriptedStress.Settings(seed: seed, transitions: 4_000 * Self.factor)
        settings.isAlone = false
        let report = try ScriptedStress.run(settings)
        #expect(report.findings.isEmpty, "\(Self.text(report.findings, seed))")
        #expect(report.transitions >= 4_000 * Self.factor)
        #expect(report.ends.count > 2, "\(report.ends)")
    }

    @Test("On one thread a seed gives the same calls and the same events again")
    func oneThread() throws {
        var settings = ScriptedStress.Settings(seed: Self.seed(), transitions: 2_000)
        settings.isOneThread = true
        settings.isAlone = false
        let (one, other) = (try ScriptedStress.run(settings), try ScriptedStress.run(settings))
        #expect(one.findings.isEmpty, "\(Self.text(one.findings, settings.seed))")
        #expect(one.digest == other.digest && one.transitions == other.transitions)
        settings.seed &+= 1
        #expect(try ScriptedStress.run(settings).digest != one.digest)
    }

    @Test("Real transfers under faults, pauses and cancels break no rule and leave nothing")
    func transfers() throws {
        let seed = Self.seed()
        var settings = TransferStress.Settings(seed: seed, transfers: 80 * Self.factor)
        settings.isAlone = false
        let report = try TransferStress.run(settings)
        #expect(report.findings.isEmpty, "\(Self.text(report.findings, seed))")
        #expect(report.good == 80 * Self.factor)
        #expect(report.faultsFired > 20 && report.pauses > 10, "\(report)")
    }

    /// Plans that showed mistakes once: a body that was stored behind the end of its session, and one
    /// that was blamed because its client had given it up and gone on.
    @Test(
        "Plans that showed mistakes show none any more",
        arguments: [(1, 16), (1, 22), (20_261_201, 198)] as [(UInt64, Int)])
    func oldFindings(seed: UInt64, batch: Int) throws {
        var settings = TransferStress.Settings(seed: seed, transfers: 1)
        settings.batch = batch
        settings.isAlone = false
        let report = try TransferStress.run(settings)
        #expect(report.findings.isEmpty, "\(Self.text(report.findings, seed))")
    }

    @Test("A cancel at any instant gives one failure, nothing after it and nothing left")
    func cancels() throws {
        let seed = Self.seed()
        var settings = CancelStress.Settings(seed: seed, cancels: 40 * Self.factor)
        settings.size = 8 << 20
        let report = try CancelStress.run(settings)
        #expect(report.findings.isEmpty, "\(Self.text(report.findings, seed))")
        #expect(report.good == 40 * Self.factor)
        #expect(report.latencies.count > 10 * Self.factor, "\(report.ends)")
    }

    @Test("What misbehaves is noticed", arguments: SelfCheck.scripted.indices)
    func scriptedSelfCheck(index: Int) throws {
        let probe = SelfCheck.scripted[index]
        let noticed = try probe.run(seed: Self.seed())
        #expect(!noticed.isDisjoint(with: probe.expected), "\(probe.name): \(noticed)")
    }

    @Test("Falsified evidence is noticed", arguments: SelfCheck.transfers.indices)
    func transferSelfCheck(index: Int) throws {
        let (mischief, expected) = SelfCheck.transfers[index]
        let noticed = try SelfCheck.run(mischief, seed: Self.seed(), isAlone: false)
        #expect(!noticed.isDisjoint(with: expected), "\(mischief.rawValue): \(noticed)")
    }
}
