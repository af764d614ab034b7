import CloudStorage
import Foundation
import MockServer
import ObjectStore
import StorageModel

/// What is left of a transfer on both sides, after everything has ended.
struct TransferEvidence: Sendable {
    var plan: TransferPlan
    var end: Showing?
    var endTime: Duration
    var wasCancelled: Bool
    /// Generations of the object on the server: their bytes.
    var generations: [[UInt8]]
    var records: [ExchangeRecord]
    /// What a download into memory gave.
    var downloaded: [UInt8]?
    /// The local file of a download; nil: there is none.
    var local: [UInt8]?
    var isVirtual: Bool
}

/// Whether what is left of a transfer fits how it ended.
struct TransferJudge {
    private let evidence: TransferEvidence
    private var violations: [Violation] = []

    private init(_ evidence: TransferEvidence) { self.evidence = evidence }

    static func violations(_ evidence: TransferEvidence) -> [Violation] {
        var judge = TransferJudge(evidence)
        judge.judge()
        return judge.violations
    }

    private mutating func broke(_ rule: Violation.Rule, _ text: String) {
        violations.append(Violation(rule, text))
    }

    private var plan: TransferPlan { evidence.plan }

    private mutating func judge() {
        guard let end = evidence.end else { return broke(.ends, "the transfer has not ended") }
        expectedEnd(end)
        switch plan.direction {
        case .upload:
            stored(end)
            sessionCancelled(end)
        case .download: received(end)
        }
        silentAfterCancel(end)
        for record in evidence.records {
            for complaint in record.complaints {
                broke(.noComplaint, "\(record.operation.rawValue): \(complaint.sentence)")
            }
        }
    }

    /// Nothing but a cancel and the faults that cannot be got over may make it fail.
    private mutating func expectedEnd(_ end: Showing) {
        guard let code = end.code else { return }
        let allowed = plan.faults.reduce(into: Set<Int>()) { $0.formUnion($1.codes) }
        if code == StorageErrorCode.cancelled.rawValue, evidence.wasCancelled { return }
        if !allowed.contains(code) {
            broke(.expectedEnd, "\(end.name), with nothing that could not be got over")
        }
    }

    private mutating func stored(_ end: Showing) {
        let generations = evidence.generations
        let mayStoreAgain = plan.faults.contains { $0.losesSession }
        if generations.count > (mayStoreAgain ? 2 : 1) {
            broke(.oneGeneration, "\(generations.count) generations of \(plan.path)")
        }
        let isFalsified = plan.faults.contains { $0.falsifies }
        if end.status == .success, generations.isEmpty {
            broke(.storedBytes, "success, and nothing is stored")
        }
        for bytes in generations where bytes != plan.content.allBytes {
            if isFalsified, end.status == .failure { continue }
            broke(.storedBytes, "\(bytes.count) bytes are stored that were not sent so")
        }
    }

    /// A session that the client knew of is cancelled once with the upload.
    private mutating func sessionCancelled(_ end: Showing) {
        let cancels = evidence.records.count { $0.operation == .uploadCancel }
        guard end.code == StorageErrorCode.cancelled.rawValue else {
            if cancels > 0 { broke(.cancelCommand, "\(cancels) cancel commands, and \(end.name)") }
            return
        }
        if cancels > 1 { broke(.cancelCommand, "\(cancels) cancel commands") }
        // What is stored already cannot be cancelled, and the client may know that it is.
        if cancels == 0, evidence.needsCancelCommand, evidence.generations.isEmpty {
            broke(.cancelCommand, "the server was not told of the cancel")
        }
    }

    private mutating func received(_ end: Showing) {
        let content = plan.content.allBytes
        let isDone = end.status == .success
        // Nobody can tell falsified bytes without a checksum.
        if isDone, plan.faults.contains(where: { $0.hidesChecksum }),
            plan.faults.contains(where: { $0.falsifies })
        {
            return
        }
        switch plan.place {
        case .memory:
            let expected = isDone ? content : nil
            if evidence.downloaded != expected {
                let count = evidence.downloaded.map { "\($0.count)" } ?? "no"
                broke(.storedBytes, "\(end.name) with \(count) bytes that are not the object's")
            }
        case .file:
            let before = plan.hasOldFile ? plan.oldContent.allBytes : nil
            if evidence.local != (isDone ? content : before) {
                let count = evidence.local.map { "\($0.count)" } ?? "no"
                broke(
                    isDone ? .storedBytes : .noPartialFile,
                    "\(end.name) and a file of \(count) bytes")
            }
        }
    }

    /// In virtual time it is known what was before what.
    private mutating func silentAfterCancel(_ end: Showing) {
        guard evidence.isVirtual, end.code == StorageErrorCode.cancelled.rawValue else { return }
        for record in evidence.records where record.start > evidence.endTime {
            guard record.operation.carriesObjectBytes || record.operation == .download else {
                continue
            }
            broke(.silentAfterCancel, "\(record.operation.rawValue) began after the failure")
        }
    }
}

extension TransferEvidence {
    /// Whether the client knew of a session that was not known to have ended.
    var needsCancelCommand: Bool {
        // Of a new start after a loss, or a stored object, nobody knows from outside what it knew.
        if plan.faults.contains(where: { $0.losesSession }) { return false }
        return records.contains { $0.operation.carriesObjectBytes || $0.operation == .uploadQuery }
            && !records.contains { $0.operation == .metadataGet }
    }
}
