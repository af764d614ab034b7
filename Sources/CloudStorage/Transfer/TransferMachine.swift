/// What a snapshot shows of a transfer.
struct TransferView: Equatable, Sendable {
    var status: StorageTaskStatus
    var completed: Int64
    var total: Int64?
    var error: StorageFailure?
    var metadata: MetadataFields?
}

/// The life of a transfer: calls and reports go in, actions come out, as its table says. Pure.
///
/// Each start and each resume has a generation; reports of an older one are ignored, so that nothing
/// late can disturb what came after it.
struct TransferMachine: Sendable {
    typealias Phase = TransferTable.Phase

    enum Action: Equatable, Sendable {
        /// Begin to transfer, or go on.
        case begin(generation: Int)
        /// Stop the exchange and report `stopped`.
        case halt(generation: Int)
        /// Stop for good and clear away what was begun.
        case abandon
        case emit(TransferView)
    }

    let table: TransferTable
    private(set) var phase = Phase.waiting
    private(set) var generation = 0
    private(set) var completed: Int64 = 0
    private(set) var total: Int64?
    private(set) var error: StorageFailure?
    private(set) var metadata: MetadataFields?
    /// Bytes that were told with the last progress.
    private var lastProgress: Int64?
    private var hasRisen = false
    /// What the server says of the finished object; progress still shows what was asked for.
    private var stored: MetadataFields?

    init(
        table: TransferTable = .documented, total: Int64? = nil, metadata: MetadataFields? = nil
    ) {
        self.table = table
        self.total = total
        self.metadata = metadata
    }

    /// The state now, as an observer would have been told.
    var currentView: TransferView {
        let sight = table[phase]
        return view(lastProgress == nil ? sight.status : sight.later ?? sight.status)
    }

    /// What an observer is to be told at once that is added now; nil: nothing.
    func replay(for status: StorageTaskStatus) -> TransferView? {
        table[phase].replays.contains(status) ? currentView : nil
    }

    /// What an observer of the start is told that may have come too late for it through no fault of its
    /// own; nil: nothing.
    func missedStart(for status: StorageTaskStatus) -> TransferView? {
        let isUnderWay = phase == .running || phase == .finishing
        return status == .resume && isUnderWay ? view(.resume) : nil
    }

    /// True until the start.
    var canStart: Bool { table[phase, .start] != nil }

    // MARK: What the user asks for

    /// - Parameter problem: why the transfer cannot even begin.
    mutating func start(
        total: Int64? = nil, metadata: MetadataFields? = nil, problem: StorageFailure? = nil
    ) -> [Action] {
        take(problem == nil ? .start : .startInVain) { machine in
            if let total { machine.total = total }
            if let metadata { machine.metadata = metadata }
            machine.error = problem
        }
    }

    mutating func pause() -> [Action] { take(.pause) }

    mutating func resume() -> [Action] { take(.resume) }

    mutating func cancel() -> [Action] { take(.cancel) { $0.error = Self.cancelled } }

    static let cancelled = StorageFailure(.cancelled, "The user cancelled the transfer.")

    // MARK: What the transfer reports

    /// Bytes that are safe now. A lower number than before is taken over without an event: the
    /// server lost bytes, or the object is read from its beginning again.
    mutating func progressed(generation: Int, completed: Int64, total: Int64?) -> [Action] {
        take(.progressed, of: generation) { machine in
            if let total { machine.total = total }
            machine.hasRisen = completed > machine.completed
            machine.completed = completed
        }
    }

    /// The number of bytes in all became known.
    mutating func learned(total: Int64) { self.total = total }

    /// The exchange has stopped because of `halt`.
    mutating func stopped(generation: Int, completed: Int64) -> [Action] {
        take(.stopped, of: generation) { $0.completed = completed }
    }

    /// Asks to put the result in place; false: the transfer was cancelled or began anew meanwhile.
    /// After true only `succeeded` or `failed` follows, whatever the user asks for.
    mutating func finish(generation: Int) -> Bool {
        guard generation == self.generation, let row = table[phase, .finish] else { return false }
        phase = row.next
        return true
    }

    mutating func succeeded(
        generation: Int, completed: Int64, metadata: MetadataFields?
    ) -> [Action] {
        take(.succeeded, of: generation) { machine in
            machine.completed = completed
            machine.stored = metadata
        }
    }

    mutating func failed(generation: Int, _ failure: StorageFailure) -> [Action] {
        let isOwnLimit = failure.code == .downloadSizeExceeded
        return take(isOwnLimit ? .exceeded : .failed, of: generation) { $0.error = failure }
    }

    // MARK: The table

    /// Looks up what an input does; without a row, or for an older generation, nothing changes.
    private mutating func take(
        _ input: TransferTable.Input, of generation: Int? = nil,
        _ update: (inout TransferMachine) -> Void = { _ in }
    ) -> [Action] {
        guard generation ?? self.generation == self.generation, let row = table[phase, input]
        else { return [] }
        update(&self)
        phase = row.next
        return row.effects.compactMap { perform($0) }
    }

    private mutating func perform(_ effect: TransferTable.Effect) -> Action? {
        switch effect {
        case .begin:
            generation += 1
            return .begin(generation: generation)
        case .halt: return .halt(generation: generation)
        case .abandon: return .abandon
        case .tellResume: return .emit(view(.resume))
        case .tellPause: return .emit(view(.pause))
        case .tellRise: return hasRisen ? progress : nil
        case .tellRest: return lastProgress == completed ? nil : progress
        case .tellAgain: return progress
        case .tellSuccess:
            metadata = stored ?? metadata
            return .emit(view(.success))
        case .tellFailure: return .emit(view(.failure))
        }
    }

    private var progress: Action {
        mutating get {
            lastProgress = completed
            return .emit(view(.progress))
        }
    }

    private func view(_ status: StorageTaskStatus) -> TransferView {
        TransferView(
            status: status, completed: completed, total: total, error: error, metadata: metadata)
    }
}
