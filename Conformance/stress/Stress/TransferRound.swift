import CloudStorage
import EventLoop
import Foundation
import StorageModel
import TestSupport

/// One real transfer as its plan says, with everything that is seen of it.
final class TransferRound: @unchecked Sendable {
    // Invariant: what is under "callback queue" is touched there alone; the rest is constant or a lock.
    let plan: TransferPlan
    let recording: TaskRecording
    private let scene: TransferScene
    private let report: @Sendable () -> Void

    // Callback queue.
    /// Held until the end: a task that stands still is held by the program alone.
    private var task: StorageObservableTask?
    private var random: SplitMix64
    private var callbacks = 0
    private var actionsLeft: Int
    private var isClosing = false
    /// What the completion brought.
    private(set) var downloaded: Data?
    private(set) var end: Showing?
    /// On the clock of the server.
    private(set) var endTime = Duration.zero
    private(set) var isReported = false

    init(_ plan: TransferPlan, _ scene: TransferScene, _ report: @escaping @Sendable () -> Void) {
        self.plan = plan
        self.scene = scene
        self.report = report
        random = SplitMix64(seed: plan.contentSeed)
        var facts = TapeFacts()
        facts.mayFail = !plan.faults.allSatisfy { $0.codes.isEmpty }
        // What is lost or not the same is taken from the beginning again.
        facts.mayFall = !plan.faults.isEmpty
        // The result is put in place in one turn of the work's own loop.
        facts.mayBeTooLate = plan.direction == .download
        recording = TaskRecording(queue: scene.queue, canaries: scene.canaries, facts: facts)
        actionsLeft = plan.actions.count {
            if case .outside = $0.moment { true } else { false }
        }
    }

    var localPath: String { scene.folder + "/\(plan.direction.rawValue)s/\(plan.number).bin" }

    // MARK: The beginning

    /// On the callback queue, once the faults are set.
    func start() {
        do { try prepare() } catch {
            recording.tape.append(.note(.did("cannot prepare: \(error)")))
        }
        recording.inside = { [self] task in callInside(task) }
        let task = make()
        self.task = task
        recording.attach(to: task)
        for action in plan.actions {
            guard case .outside(let caller, let delay, let turns) = action.moment else { continue }
            let loop = scene.callers[caller]
            loop.post { [self] in
                guard delay > .zero else { return wait(turns, loop, action.call, task) }
                loop.timer(after: delay) { [self] in wait(0, loop, action.call, task) }
            }
        }
        closeIfDone()
    }

    private func prepare() throws {
        let url = URL(fileURLWithPath: localPath)
        switch plan.direction {
        case .upload where plan.place == .file: try Data(plan.content.allBytes).write(to: url)
        case .download where plan.place == .file && plan.hasOldFile:
            try Data(plan.oldContent.allBytes).write(to: url)
        case .upload, .download: break
        }
    }

    private func make() -> StorageObservableTask {
        let reference = scene.storage(chunkSize: plan.chunkSize).reference(withPath: plan.path)
        let url = URL(fileURLWithPath: localPath)
        let canary = recording.canary()
        switch (plan.direction, plan.place) {
        case (.upload, .memory):
            let data = Data(plan.content.allBytes)
            return reference.putData(data) { [self] metadata, error in
                _ = canary
                completed(error, hasValue: metadata != nil)
            }
        case (.upload, .file):
            return reference.putFile(from: url) { [self] metadata, error in
                _ = canary
                completed(error, hasValue: metadata != nil)
            }
        case (.download, .memory):
            return reference.getData(maxSize: 1 << 20) { [self] data, error in
                _ = canary
                downloaded = data
                completed(error, hasValue: data != nil)
            }
        case (.download, .file):
            return reference.write(toFile: url) { [self] url, error in
                _ = canary
                completed(error, hasValue: url != nil)
            }
        }
    }

    // MARK: Actions

    private func wait(
        _ turns: Int, _ loop: EventLoop, _ call: TaskCall, _ task: StorageObservableTask
    ) {
        guard turns == 0 else {
            return loop.post { [self] in wait(turns - 1, loop, call, task) }
        }
        var random = SplitMix64(seed: 0)
        recording.note(.did("outside: \(call)"))
        TaskHand(recording, isInside: false).perform(call, on: task, &random)
        recording.queue.note { [self] in
            actionsLeft -= 1
            closeIfDone()
        }
    }

    private func callInside(_ task: StorageObservableTask) {
        callbacks += 1
        guard !isClosing else { return }
        for action in plan.actions where action.moment == .inside(callbacks) {
            recording.tape.append(.note(.did("inside: \(action.call)")))
            TaskHand(recording, isInside: true).perform(action.call, on: task, &random)
        }
    }

    // MARK: The end

    private func completed(_ error: (any Error)?, hasValue: Bool) {
        let status: StorageTaskStatus = hasValue ? .success : .failure
        let code = error.map { ($0 as NSError).code }
        let showing = Showing(status, completed: Showing.unsaid, total: nil, code: code)
        recording.tape.append(.completed(showing))
        end = showing
        endTime = scene.queue.loop.now
        reportIfDone()
    }

    /// When everything planned has been called, nothing stays paused.
    private func closeIfDone() {
        guard actionsLeft == 0, !isClosing else { return }
        isClosing = true
        recording.tape.append(.note(.did("closing")))
        if let task { TaskHand(recording, isInside: true).perform(.resume, on: task, &random) }
        reportIfDone()
    }

    private func reportIfDone() {
        guard end != nil, isClosing, !isReported else { return }
        isReported = true
        task = nil
        recording.queue.note { [self] in recording.queue.note { [self] in report() } }
    }
}
