import CloudStorage
import EventLoop
import Foundation
import MockServer
import StorageModel
import TestSupport

/// Transfers at full speed, one at a time, each cancelled at an instant of its own by another thread.
package final class CancelStress: @unchecked Sendable {
    // Invariant: used by one thread at a time; what the rounds share with loops is in locks.
    package enum Kind: String, Sendable, CaseIterable {
        case uploadMemory = "upload from memory"
        case uploadFile = "upload from a file"
        case downloadMemory = "download to memory"
        case downloadFile = "download to a file"

        var isUpload: Bool { self == .uploadMemory || self == .uploadFile }
    }

    package struct Settings: Sendable {
        package var seed: UInt64
        package var cancels: Int
        /// Bytes of each transfer.
        package var size: Int64 = 24 << 20
        package var limit: Duration

        package init(seed: UInt64, cancels: Int, limit: Duration = .seconds(3_600)) {
            self.seed = seed
            self.cancels = cancels
            self.limit = limit
        }
    }

    package struct Report: Sendable {
        package var cancels = 0
        package var good = 0
        /// Transfers that had ended when cancel was called.
        package var late = 0
        package var ends: [String: Int] = [:]
        /// From the call of cancel to the event of the failure, in milliseconds, ascending.
        package var latencies: [Double] = []
        /// How long a transfer takes that is not cancelled, in milliseconds, by kind.
        package var durations: [String: Double] = [:]
        package var findings: [StressFinding] = []

        /// - Parameter part: from 0 to 1.
        package func latency(at part: Double) -> Double {
            guard !latencies.isEmpty else { return 0 }
            return latencies[min(latencies.count - 1, Int(Double(latencies.count) * part))]
        }
    }

    static let batchSize = 80
    private static let given = "given"
    static let chunkSize: Int64 = 4 << 20

    let scene: TransferScene
    let settings: Settings
    let content: SyntheticContent
    let data: Data

    private init(_ settings: Settings, data: Data) throws {
        self.settings = settings
        self.data = data
        content = SyntheticContent(size: settings.size, seed: 7)
        let object = BackendSettings.GivenObject(
            path: Self.given, content: Content(.synthetic(size: settings.size, seed: 7)))
        scene = try TransferScene(isVirtual: false, seed: settings.seed, objects: [object])
        try data.write(to: URL(fileURLWithPath: sourcePath))
    }

    var sourcePath: String { scene.folder + "/uploads/source.bin" }
    var givenPath: String { Self.given }

    /// Blocks until everything has ended.
    package static func run(_ settings: Settings) throws -> Report {
        var report = Report()
        let start = EventLoop.monotonic()
        let data = Data(SyntheticContent(size: settings.size, seed: 7).allBytes)
        var random = SplitMix64(seed: SplitMix64.derive(settings.seed, "cancels"))
        var durations: [Kind: Duration] = [:]
        while report.cancels < settings.cancels, report.findings.count < 3,
            Duration.nanoseconds(EventLoop.monotonic() - start) < settings.limit
        {
            let stress = try CancelStress(settings, data: data)
            try stress.begin()
            if durations.isEmpty { durations = try stress.measure(&report) }
            let count = min(batchSize, settings.cancels - report.cancels)
            for _ in 0..<count {
                let kind = Kind.allCases[report.cancels % Kind.allCases.count]
                let longest = durations[kind] ?? .milliseconds(10)
                let instant = longest * Double.random(in: 0..<1, using: &random)
                stress.note(try stress.play(kind, report.cancels, cancelAfter: instant), &report)
            }
            stress.scene.stop()
        }
        report.latencies.sort()
        return report
    }

    private func begin() throws {
        let isReady = Recorder<String>()
        try scene.start(stuck: { isReady.append($0) }, { isReady.append("") })
        let text = try isReady.wait(count: 1)[0]
        if !text.isEmpty { throw StressError(text: text) }
    }

    private func measure(_ report: inout Report) throws -> [Kind: Duration] {
        var durations: [Kind: Duration] = [:]
        for kind in Kind.allCases {
            var times: [Duration] = []
            for attempt in 0..<3 {
                let number = -1 - attempt - 10 * (Kind.allCases.firstIndex(of: kind) ?? 0)
                let outcome = try play(kind, number, cancelAfter: nil)
                guard outcome.end.status == .success, outcome.violations.isEmpty else {
                    throw StressError(text: "\(kind.rawValue): \(outcome.violations)")
                }
                times.append(outcome.duration)
            }
            durations[kind] = times.sorted()[1]
            report.durations[kind.rawValue] = times.sorted()[1] / .milliseconds(1)
        }
        return durations
    }

    private func play(
        _ kind: Kind, _ number: Int, cancelAfter instant: Duration?
    ) throws -> CancelRound.Outcome {
        let outcomes = Recorder<CancelRound.Outcome>()
        let round = CancelRound(self, kind, number, instant) { outcomes.append($0) }
        scene.queue.note { round.start() }
        var outcome = try outcomes.wait(count: 1, within: .seconds(60))[0]
        if kind == .downloadFile {
            // A cancel is told at once; clearing away is the work's next turn.
            let isCleared = Recorder<Bool>()
            scene.engine.loop.post { isCleared.append(true) }
            try isCleared.wait(count: 1)
            let names = scene.names(in: "downloads")
            let expected = outcome.end.status == .success ? ["\(number).bin"] : []
            if names != expected {
                outcome.violations.append(
                    Violation(.noPartialFile, "\(outcome.end.name) leaves \(names)"))
            }
            // Those that came too late have done their work.
            for name in names {
                try FileManager.default.removeItem(atPath: scene.folder + "/downloads/" + name)
            }
        }
        return outcome
    }

    private func note(_ outcome: CancelRound.Outcome, _ report: inout Report) {
        report.cancels += 1
        report.ends[outcome.end.name, default: 0] += 1
        if outcome.end.status == .success { report.late += 1 }
        if let latency = outcome.latency { report.latencies.append(latency / .milliseconds(1)) }
        guard !outcome.violations.isEmpty else {
            report.good += 1
            return
        }
        report.findings.append(
            StressFinding(
                place: "cancel \(report.cancels - 1), \(outcome.kind.rawValue)",
                violations: outcome.violations, tape: outcome.tape.map(\.description)))
    }
}
