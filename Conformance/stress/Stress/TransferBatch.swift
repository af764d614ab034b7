import CloudStorage
import EventLoop
import Foundation
import Glibc
import MockServer
import ObjectStore
import StorageModel
import TestSupport

/// What is falsified in the evidence of a batch on purpose: what has to be noticed.
package enum TransferMischief: String, Hashable, Sendable, CaseIterable {
    case flipsByte = "a byte is another"
    case storesTwice = "an object is stored twice"
    case leavesFile = "a part of a file stays"
    case hidesCancel = "the server hears of no cancel"
    case failsWithoutCause = "a transfer fails for nothing"
    case keepsDescriptor = "a descriptor stays open"
    case keepsTask = "a task is held on to"
}

/// Some tens of transfers against one server, a few at once, and then the question what is left of them.
final class TransferBatch: @unchecked Sendable {
    // Invariant: `state` is a lock; what a round keeps is read after it has reported.
    static let size = 40

    struct Outcome: Sendable {
        var findings: [StressFinding] = []
        var ends: [String: Int] = [:]
        var good = 0
        var transfers = 0
        var events = 0
        var pauses = 0
        var faultsFired = 0
        var exchanges = 0
        var digest: UInt64 = 0
    }

    private struct State {
        var waiting: [TransferPlan]
        var running: [Int: TransferRound] = [:]
        var ended: [TransferRound] = []
        var stuck: String?
    }

    private let number: Int
    private let isVirtual: Bool
    private let scene: TransferScene
    private let state: Lock<State>
    private let plans: [TransferPlan]
    private let over = Recorder<Bool>()

    /// - Parameters:
    ///   - number: from 0; the batch's transfers are those from `number * size` on.
    ///   - count: of its transfers, at most `size`.
    private init(_ number: Int, count: Int, seed: UInt64, isVirtual: Bool) throws {
        self.number = number
        self.isVirtual = isVirtual
        let first = number * Self.size
        plans = (first..<first + count).map {
            TransferPlan($0, seed: seed, isVirtual: isVirtual)
        }
        let objects = plans.filter { $0.direction == .download }.map { plan in
            let content = Content(.synthetic(size: plan.size, seed: plan.contentSeed))
            return BackendSettings.GivenObject(path: plan.path, content: content)
        }
        scene = try TransferScene(
            isVirtual: isVirtual, seed: SplitMix64.derive(seed, "batch \(number)"),
            objects: objects)
        state = Lock(State(waiting: plans))
    }

    /// Blocks until all of it has ended.
    static func run(
        _ number: Int, count: Int, seed: UInt64, isVirtual: Bool, isAlone: Bool,
        mischief: TransferMischief? = nil
    ) throws -> Outcome {
        let descriptors = ProcessState.descriptorCount
        var (outcome, canaries) = try play(number, count, seed, isVirtual, mischief)
        var left: [Violation] = []
        let held = mischief == .keepsTask ? LiveCount.Token(canaries) : nil
        if canaries.value > 0 {
            left.append(Violation(.leftover, "\(canaries.value) closures of tasks still live"))
        }
        let kept = mischief == .keepsDescriptor ? dup(0) : -1
        let after = ProcessState.descriptorCount
        if isAlone, after > descriptors {
            left.append(Violation(.leftover, "\(after) descriptors, before \(descriptors)"))
        }
        if kept >= 0 { close(kept) }
        withExtendedLifetime(held) {}
        if !left.isEmpty, outcome.findings.isEmpty {
            outcome.findings.append(
                StressFinding(place: "batch \(number)", number: number, violations: left))
        }
        return outcome
    }

    private static func play(
        _ number: Int, _ count: Int, _ seed: UInt64, _ isVirtual: Bool,
        _ mischief: TransferMischief?
    ) throws -> (Outcome, LiveCount) {
        let batch = try TransferBatch(number, count: count, seed: seed, isVirtual: isVirtual)
        try batch.play()
        var outcome = batch.judge(mischief)
        outcome.transfers = count
        return (outcome, batch.scene.canaries)
    }

    // MARK: The run

    private func play() throws {
        try scene.start(
            stuck: { [self] text in
                state.withLock { $0.stuck = text }
                over.append(false)
            },
            { [self] in for _ in 0..<6 { beginNext() } })
        do {
            try over.wait(count: 1, within: .seconds(90))
        } catch {
            state.withLock { $0.stuck = "nothing has ended for 90 seconds" }
        }
    }

    private func beginNext() {
        let round = state.withLock { state -> TransferRound? in
            guard !state.waiting.isEmpty else { return nil }
            let plan = state.waiting.removeFirst()
            let round = TransferRound(plan, scene) { [self] in ended(plan.number) }
            state.running[plan.number] = round
            return round
        }
        guard let round else { return }
        scene.serverLoop.post { [self] in
            do {
                try scene.server.assumeIsolated { server in
                    let position = server.nextFaultPosition
                    try server.add(TransferScene.rules(round.plan.faults, from: position))
                }
            } catch {
                state.withLock { $0.stuck = "\(error)" }
                return over.append(false)
            }
            scene.queue.note { round.start() }
        }
    }

    private func ended(_ number: Int) {
        let isLast = state.withLock { state in
            if let round = state.running.removeValue(forKey: number) { state.ended.append(round) }
            return state.running.isEmpty && state.waiting.isEmpty
        }
        if isLast { return scene.serverLoop.post { [self] in settle(triesLeft: 1_500) } }
        beginNext()
    }

    /// Waits until every cancel command that is due has come and the client's last connection is gone.
    private func settle(triesLeft: Int) {
        let server = scene.server
        let records = server.assumeIsolated { $0.records }
        let isDue = state.withLock { $0.ended }.contains { round in
            evidence(of: round, records).isCancelDue
                && server.assumeIsolated { $0.versions(of: round.plan.path).isEmpty }
        }
        guard isDue, triesLeft > 0 else {
            let engine = scene.engine
            engine.loop.post { engine.shutDown() }
            return awaitConnections(triesLeft: 1_500)
        }
        scene.serverLoop.timer(after: .milliseconds(10)) { [self] in
            settle(triesLeft: triesLeft - 1)
        }
    }

    private func awaitConnections(triesLeft: Int) {
        let open = scene.server.assumeIsolated { $0.openConnections }
        guard open > 0, triesLeft > 0 else {
            if open > 0 { state.withLock { $0.stuck = "\(open) connections stay open" } }
            // That nothing more can happen is as it should be from here on.
            scene.serverLoop.time?.finish()
            return over.append(true)
        }
        scene.serverLoop.timer(after: .milliseconds(10)) { [self] in
            awaitConnections(triesLeft: triesLeft - 1)
        }
    }

    // MARK: What is left

    private func evidence(
        of round: TransferRound, _ records: [ExchangeRecord]
    ) -> TransferEvidence {
        let plan = round.plan
        return TransferEvidence(
            plan: plan, end: round.end, endTime: round.endTime,
            wasCancelled: round.recording.shared.withLock { $0.facts.cancels > 0 },
            generations: [], records: records.filter { $0.path == plan.path },
            downloaded: round.downloaded.map(Array.init), isVirtual: isVirtual)
    }

    private func judge(_ mischief: TransferMischief?) -> Outcome {
        let (stored, records, fired) = gather()
        scene.stop()
        var outcome = Outcome()
        outcome.faultsFired = fired
        outcome.exchanges = records.count
        let (rounds, running, stuck) = state.withLock {
            ($0.ended, Array($0.running.values), $0.stuck)
        }
        if let stuck {
            let tapes = running.prefix(3).flatMap { round in
                ["\(round.plan)"] + round.recording.tape.map(\.description)
            }
            outcome.findings.append(
                StressFinding(
                    place: "batch \(number)", number: number,
                    violations: [Violation(.ends, stuck)], tape: tapes))
        }
        for round in rounds.sorted(by: { $0.plan.number < $1.plan.number }) {
            var evidence = evidence(of: round, records)
            if evidence.plan.direction == .upload {
                evidence.generations = stored[round.plan.path] ?? []
            }
            evidence.local = FileManager.default.contents(atPath: round.localPath).map(Array.init)
            mischief?.apply(to: &evidence)
            judge(round, evidence, &outcome)
        }
        if stuck == nil { files(rounds, mischief, &outcome) }
        state.withLock { state in (state.ended, state.running) = ([], [:]) }
        return outcome
    }

    private func gather() -> ([String: [[UInt8]]], [ExchangeRecord], Int) {
        typealias Found = ([String: [[UInt8]]], [ExchangeRecord], Int)
        let found = Recorder<Found>()
        let paths = plans.filter { $0.direction == .upload }.map(\.path)
        scene.serverLoop.post { [self] in
            found.append(
                scene.server.assumeIsolated { server in
                    let stored = paths.map { path in
                        (path, server.versions(of: path).map { $0.body?.allBytes ?? [] })
                    }
                    return (
                        Dictionary(uniqueKeysWithValues: stored), server.records,
                        server.firedCounts.reduce(0, +)
                    )
                })
        }
        return (try? found.wait(count: 1).first) ?? ([:], [], 0)
    }

    private func judge(
        _ round: TransferRound, _ evidence: TransferEvidence, _ outcome: inout Outcome
    ) {
        let events = round.recording.events
        outcome.events += events.count
        outcome.pauses += events.count { $0.status == .pause }
        let end = evidence.end?.name ?? "none"
        outcome.ends["\(evidence.plan.direction) \(end)", default: 0] += 1
        outcome.digest = SplitMix64.derive(outcome.digest, "\(events) \(end)")
        let (broken, tape) = round.recording.judge()
        let violations = broken + TransferJudge.violations(evidence)
        guard !violations.isEmpty else {
            outcome.good += 1
            return
        }
        let exchanges = evidence.records.map(\.line)
        outcome.findings.append(
            StressFinding(
                place: "transfer \(evidence.plan.number), \(isVirtual ? "virtual" : "wall") time",
                number: number, violations: violations,
                tape: ["\(evidence.plan)"] + tape.map(\.description) + exchanges))
    }

    /// Nothing but what was uploaded from, and what was downloaded to.
    private func files(
        _ rounds: [TransferRound], _ mischief: TransferMischief?, _ outcome: inout Outcome
    ) {
        if mischief == .leavesFile {
            let path = scene.folder + "/downloads/.0.bin.x.part"
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let expected = rounds.filter { $0.plan.direction == .download && $0.plan.place == .file }
            .filter { $0.plan.hasOldFile || $0.end?.status == .success }
            .map { "\($0.plan.number).bin" }.sorted()
        let names = scene.names(in: "downloads")
        guard names != expected else { return }
        let more = Set(names).symmetricDifference(expected).sorted()
        outcome.findings.append(
            StressFinding(
                place: "batch \(number)", number: number,
                violations: [Violation(.noPartialFile, "\(more) differ in the folder")]))
    }
}

extension TransferEvidence {
    fileprivate var isCancelDue: Bool {
        plan.direction == .upload && end?.code == StorageErrorCode.cancelled.rawValue
            && needsCancelCommand && !records.contains { $0.operation == .uploadCancel }
    }
}

extension TransferMischief {
    fileprivate func apply(to evidence: inout TransferEvidence) {
        switch self {
        case .flipsByte:
            if evidence.generations.first?.isEmpty == false { evidence.generations[0][0] ^= 1 }
            if evidence.downloaded?.isEmpty == false { evidence.downloaded?[0] ^= 1 }
        case .storesTwice: evidence.generations += evidence.generations
        case .hidesCancel: evidence.records.removeAll { $0.operation == .uploadCancel }
        case .failsWithoutCause:
            evidence.end?.code = StorageErrorCode.retryLimitExceeded.rawValue
        case .leavesFile, .keepsDescriptor, .keepsTask: break
        }
    }
}

extension ExchangeRecord {
    /// For people.
    fileprivate var line: String {
        let status = status.map(String.init) ?? "none"
        let place = offset.map { " offset \($0)" } ?? ""
        let faults = faults.isEmpty ? "" : " faults \(faults.count)"
        let time = "\(start) to \(end.map { "\($0)" } ?? "?")"
        return "\(time) \(operation.rawValue)\(place) received \(received) kept \(committed) "
            + "sent \(sent) status \(status) \(ending.rawValue)\(faults)"
    }
}
