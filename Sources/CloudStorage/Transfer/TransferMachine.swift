/// What a snapshot shows of a transfer.
struct TransferView: Equatable, Sendable {
    var status: StorageTaskStatus
    var completed: Int64
    var total: Int64?
    var error: StorageFailure?
    var metadata: MetadataFields?
}

/// The life of a transfer as a pure state machine: calls and reports go in, actions come out.
///
/// Each start and each resume has a generation; reports of an older one are ignored, so that nothing
/// late can disturb what came after it.
struct TransferMachine: Sendable {
    /// What was asked for before the task started.
    enum Wish: Hashable, Sendable {
        case run
        case pause
        case pauseThenResume
    }

    enum Phase: Hashable, Sendable {
        case waiting(Wish)
        case running
        /// Asked to pause; the exchange has not stopped yet.
        case pausing
        /// As `pausing`, and asked to go on afterwards.
        case resuming
        case paused
        /// All is there and its result is being put in place: too late to pause or to cancel.
        case finishing
        case succeeded
        case failed

        var isTerminal: Bool { self == .succeeded || self == .failed }
    }

    enum Action: Equatable, Sendable {
        /// Begin to transfer, or go on.
        case begin(generation: Int)
        /// Stop the exchange and report `stopped`.
        case halt(generation: Int)
        /// Stop for good and clear away what was begun.
        case abandon
        case emit(TransferView)
    }

    private(set) var phase = Phase.waiting(.run)
    private(set) var generation = 0
    private(set) var completed: Int64 = 0
    private(set) var total: Int64?
    private(set) var error: StorageFailure?
    private(set) var metadata: MetadataFields?
    private var lastProgress: Int64?

    init(total: Int64? = nil, metadata: MetadataFields? = nil) {
        self.total = total
        self.metadata = metadata
    }

    func view(_ status: StorageTaskStatus) -> TransferView {
        TransferView(
            status: status, completed: completed, total: total, error: error, metadata: metadata)
    }

    /// The state now, as an observer would have been told.
    var currentView: TransferView {
        switch phase {
        case .waiting: view(.unknown)
        case .running, .finishing: view(lastProgress == nil ? .resume : .progress)
        case .pausing, .resuming, .paused: view(.pause)
        case .succeeded: view(.success)
        case .failed: view(.failure)
        }
    }

    // MARK: What the user asks for

    /// - Parameter problem: why the transfer cannot even begin.
    mutating func start(
        total: Int64? = nil, metadata: MetadataFields? = nil, problem: StorageFailure? = nil
    ) -> [Action] {
        guard case .waiting(let wish) = phase else { return [] }
        if let total { self.total = total }
        if let metadata { self.metadata = metadata }
        if let problem { return fail(problem) }
        switch wish {
        case .run: return begin()
        case .pause:
            phase = .paused
            return [.emit(view(.resume)), .emit(view(.pause))]
        case .pauseThenResume: return [.emit(view(.resume)), .emit(view(.pause))] + begin()
        }
    }

    mutating func pause() -> [Action] {
        switch phase {
        case .waiting: phase = .waiting(.pause)
        case .running:
            phase = .pausing
            return [.halt(generation: generation)]
        case .resuming: phase = .pausing
        case .pausing, .paused, .finishing, .succeeded, .failed: break
        }
        return []
    }

    mutating func resume() -> [Action] {
        switch phase {
        case .waiting(.pause): phase = .waiting(.pauseThenResume)
        case .pausing: phase = .resuming
        case .paused: return begin()
        case .waiting, .running, .resuming, .finishing, .succeeded, .failed: break
        }
        return []
    }

    mutating func cancel() -> [Action] {
        switch phase {
        case .waiting:
            return fail(Self.cancelled)
        case .running, .pausing, .resuming, .paused:
            return [.abandon] + fail(Self.cancelled)
        case .finishing, .succeeded, .failed: return []
        }
    }

    static let cancelled = StorageFailure(.cancelled, "The user cancelled the transfer.")

    // MARK: What the transfer reports

    /// Bytes that are safe now. A lower number than before is taken over without an event: the
    /// server lost bytes, or the object is read from its beginning again.
    mutating func progressed(generation: Int, completed: Int64, total: Int64?) -> [Action] {
        guard generation == self.generation, phase == .running else { return [] }
        if let total { self.total = total }
        let isNews = completed > self.completed
        self.completed = completed
        guard isNews else { return [] }
        lastProgress = completed
        return [.emit(view(.progress))]
    }

    /// The number of bytes in all became known.
    mutating func learned(total: Int64) { self.total = total }

    /// The exchange has stopped because of `halt`.
    mutating func stopped(generation: Int, completed: Int64) -> [Action] {
        guard generation == self.generation else { return [] }
        switch phase {
        case .pausing:
            self.completed = completed
            phase = .paused
            return [.emit(view(.pause))]
        case .resuming:
            self.completed = completed
            return [.emit(view(.pause))] + begin()
        case .waiting, .running, .paused, .finishing, .succeeded, .failed: return []
        }
    }

    /// Asks to put the result in place; false: the transfer was cancelled or began anew meanwhile.
    /// After true only `succeeded` or `failed` follows, whatever the user asks for.
    mutating func finish(generation: Int) -> Bool {
        guard isLive(generation) else { return false }
        phase = .finishing
        return true
    }

    mutating func succeeded(
        generation: Int, completed: Int64, metadata: MetadataFields?
    ) -> [Action] {
        guard isLive(generation) else { return [] }
        var actions: [Action] = []
        self.completed = completed
        if lastProgress != completed {
            lastProgress = completed
            actions.append(.emit(view(.progress)))
        }
        if let metadata { self.metadata = metadata }
        phase = .succeeded
        return actions + [.emit(view(.success))]
    }

    mutating func failed(generation: Int, _ failure: StorageFailure) -> [Action] {
        isLive(generation) ? fail(failure) : []
    }

    /// A completion that comes while the transfer is about to pause wins.
    private func isLive(_ generation: Int) -> Bool {
        guard generation == self.generation else { return false }
        switch phase {
        case .running, .pausing, .resuming, .finishing: return true
        case .waiting, .paused, .succeeded, .failed: return false
        }
    }

    private mutating func begin() -> [Action] {
        generation += 1
        phase = .running
        return [.begin(generation: generation), .emit(view(.resume))]
    }

    private mutating func fail(_ failure: StorageFailure) -> [Action] {
        phase = .failed
        error = failure
        return [.emit(view(.failure))]
    }
}
