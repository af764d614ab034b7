import EventLoop
import StorageModel
import TestSupport

/// Batches of real transfers, every other one in virtual time, until so many were made.
package enum TransferStress {
    package struct Settings: Sendable {
        package var seed: UInt64
        package var transfers: Int
        /// Only this batch, so often.
        package var batch: Int?
        package var times = 1
        package var mischief: TransferMischief?
        package var limit: Duration
        /// Batches with findings after which no more are begun.
        package var patience = 3
        /// False: others in this process open descriptors, too, so that they are not counted.
        package var isAlone = true

        package init(seed: UInt64, transfers: Int, limit: Duration = .seconds(3_600)) {
            self.seed = seed
            self.transfers = transfers
            self.limit = limit
        }
    }

    package struct Report: Sendable {
        package var transfers = 0
        package var good = 0
        package var virtual = 0
        package var events = 0
        package var pauses = 0
        package var faultsFired = 0
        package var exchanges = 0
        package var ends: [String: Int] = [:]
        package var findings: [StressFinding] = []
        /// Of the batches in virtual time alone.
        package var digest: UInt64 = 0
        /// Private memory in bytes after the first tenth, and at the end.
        package var memory: (early: Int, late: Int) = (0, 0)
    }

    /// Memory that may be held at the end more than early on, in bytes.
    package static let memoryBound = 48 << 20

    package static func run(_ settings: Settings) throws -> Report {
        // What the system's libraries open once for the whole process is nobody's leftover.
        if settings.isAlone {
            _ = try TransferBatch.run(
                0, count: 1, seed: settings.seed, isVirtual: false, isAlone: false, mischief: nil)
        }
        var report = Report()
        let start = EventLoop.monotonic()
        let count = (settings.transfers + TransferBatch.size - 1) / TransferBatch.size
        let batches =
            settings.batch.map { Array(repeating: $0, count: settings.times) }
            ?? Array(0..<count)
        for (index, batch) in batches.enumerated() {
            let isOver = Duration.nanoseconds(EventLoop.monotonic() - start) > settings.limit
            if isOver || report.findings.count >= settings.patience { break }
            let left = settings.batch == nil ? settings.transfers - report.transfers : .max
            let isVirtual = batch.isMultiple(of: 2)
            let outcome = try TransferBatch.run(
                batch, count: min(left, TransferBatch.size), seed: settings.seed,
                isVirtual: isVirtual, isAlone: settings.isAlone, mischief: settings.mischief)
            add(outcome, isVirtual, &report)
            if index == batches.count / 10 { report.memory.early = ProcessState.privateBytes }
        }
        report.memory.late = ProcessState.privateBytes
        let growth = report.memory.late - report.memory.early
        if settings.isAlone, settings.batch == nil, growth > memoryBound, report.transfers > 1_000 {
            let text = "\(growth >> 20) MiB more private memory than after a tenth"
            report.findings.append(
                StressFinding(place: "all transfers", violations: [Violation(.leftover, text)]))
        }
        return report
    }

    private static func add(
        _ outcome: TransferBatch.Outcome, _ isVirtual: Bool, _ report: inout Report
    ) {
        report.transfers += outcome.transfers
        report.good += outcome.good
        report.virtual += isVirtual ? outcome.transfers : 0
        report.events += outcome.events
        report.pauses += outcome.pauses
        report.faultsFired += outcome.faultsFired
        report.exchanges += outcome.exchanges
        report.ends.merge(outcome.ends, uniquingKeysWith: +)
        report.findings += outcome.findings
        if isVirtual {
            report.digest = SplitMix64.derive(report.digest, "\(outcome.digest)")
        }
    }
}
