import CloudStorage
import EventLoop
import Foundation
import MockServer
import ObjectStore
import StorageModel

/// One transfer at full speed and its cancel.
final class CancelRound: @unchecked Sendable {
    // Invariant: touched on the callback queue alone, but for `calledAt` and constants.
    struct Outcome: Sendable {
        var kind: CancelStress.Kind
        var end: Showing
        /// From the start to the end.
        var duration: Duration
        /// From the call of cancel to the failure; nil: it came too late, or there was none.
        var latency: Duration?
        var violations: [Violation]
        var tape: [TapeEntry]
    }

    private let stress: CancelStress
    private let kind: CancelStress.Kind
    private let number: Int
    private let instant: Duration?
    private let report: @Sendable (Outcome) -> Void
    private let recording: TaskRecording
    private let calledAt = Lock<Int64?>(nil)
    private var startedAt: Int64 = 0
    private var endedAt: Int64 = 0
    private var end: Showing?
    private var downloaded: Data?
    private var isCalled = false
    private var isReported = false

    init(
        _ stress: CancelStress, _ kind: CancelStress.Kind, _ number: Int, _ instant: Duration?,
        _ report: @escaping @Sendable (Outcome) -> Void
    ) {
        self.stress = stress
        self.kind = kind
        self.number = number
        self.instant = instant
        self.report = report
        var facts = TapeFacts()
        facts.mayBeTooLate = !kind.isUpload
        recording = TaskRecording(
            queue: stress.scene.queue, canaries: stress.scene.canaries, facts: facts)
    }

    private var path: String { kind.isUpload ? "c/\(number)" : stress.givenPath }
    private var localPath: String { stress.scene.folder + "/downloads/\(number).bin" }

    func start() {
        startedAt = EventLoop.monotonic()
        recording.inside = { [self] task in
            let status = task.snapshot.status
            if endedAt == 0, status == .failure || status == .success {
                endedAt = EventLoop.monotonic()
            }
        }
        let task = make()
        recording.attach(to: task)
        guard let instant else {
            isCalled = true
            return
        }
        let caller = stress.scene.callers[abs(number) % 3]
        caller.post { [self] in caller.timer(after: instant) { [self] in cancel(task) } }
    }

    private func cancel(_ task: StorageObservableTask) {
        var random = SplitMix64(seed: 0)
        calledAt.withLock { $0 = EventLoop.monotonic() }
        TaskHand(recording, isInside: false).perform(.cancel, on: task, &random)
        recording.queue.note { [self] in
            isCalled = true
            settleIfDone()
        }
    }

    private func make() -> StorageObservableTask {
        let storage = stress.scene.storage(chunkSize: CancelStress.chunkSize)
        let reference = storage.reference(withPath: path)
        switch kind {
        case .uploadMemory:
            return reference.putData(stress.data) { [self] metadata, error in
                completed(error, metadata != nil)
            }
        case .uploadFile:
            let url = URL(fileURLWithPath: stress.sourcePath)
            return reference.putFile(from: url) { [self] metadata, error in
                completed(error, metadata != nil)
            }
        case .downloadMemory:
            return reference.getData(maxSize: stress.settings.size) { [self] data, error in
                downloaded = data
                completed(error, data != nil)
            }
        case .downloadFile:
            return reference.write(toFile: URL(fileURLWithPath: localPath)) {
                [self] url, error in completed(error, url != nil)
            }
        }
    }

    private func completed(_ error: (any Error)?, _ hasValue: Bool) {
        let showing = Showing(
            hasValue ? .success : .failure, completed: Showing.unsaid, total: nil,
            code: error.map { ($0 as NSError).code })
        recording.tape.append(.completed(showing))
        end = showing
        settleIfDone()
    }

    private func settleIfDone() {
        guard end != nil, isCalled, !isReported else { return }
        isReported = true
        stress.scene.serverLoop.post { [self] in settle(triesLeft: 5_000) }
    }

    /// On the server's loop, until the cancel command has come, if one is due.
    private func settle(triesLeft: Int) {
        let server = stress.scene.server
        let (records, generations) = server.assumeIsolated { server in
            (server.records.filter { $0.path == path }, server.versions(of: path))
        }
        let isDue =
            kind.isUpload && end?.code == StorageErrorCode.cancelled.rawValue
            && records.contains { $0.operation.carriesObjectBytes }
            && !records.contains { $0.operation == .uploadCancel }
            // What is stored already cannot be cancelled, and the client may know that it is.
            && generations.isEmpty
        if isDue, triesLeft > 0 {
            stress.scene.serverLoop.timer(after: .milliseconds(2)) { [self] in
                settle(triesLeft: triesLeft - 1)
            }
            return
        }
        var violations: [Violation] = []
        if isDue { violations.append(Violation(.cancelCommand, "the server heard of no cancel")) }
        let cancels = records.count { $0.operation == .uploadCancel }
        if kind.isUpload, cancels > 1 {
            violations.append(Violation(.cancelCommand, "\(cancels) cancel commands"))
        }
        if kind.isUpload, generations.count > 1 {
            violations.append(Violation(.oneGeneration, "\(generations.count) generations"))
        }
        let size = stress.settings.size
        if kind.isUpload, generations.contains(where: { $0.attributes.size != size }) {
            violations.append(Violation(.storedBytes, "a part of the upload is stored"))
        }
        stress.scene.queue.note { [self, violations] in judge(violations) }
    }

    private func judge(_ found: [Violation]) {
        guard let end else { return }
        let (broken, tape) = recording.judge()
        var violations = found + broken
        if end.status == .success, kind == .downloadMemory, downloaded != stress.data {
            violations.append(Violation(.storedBytes, "other bytes than the object's"))
        }
        let called = calledAt.withLock { $0 }
        let isCancelled = end.code == StorageErrorCode.cancelled.rawValue
        report(
            Outcome(
                kind: kind, end: end, duration: .nanoseconds(endedAt - startedAt),
                latency: isCancelled ? called.map { .nanoseconds(endedAt - $0) } : nil,
                violations: violations, tape: tape))
    }
}
