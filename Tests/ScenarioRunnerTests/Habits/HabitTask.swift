import Mutants
import Scenario
import StorageModel

/// One transfer: what the client behind tells of it, in the words of a client of other habits.
struct HabitTask {
    enum State { case waiting, running, pausing, paused, ended }

    let isUpload: Bool
    let path: String
    let isRecorded: Bool
    var isInMemory = false
    let traits: Traits
    /// Of the client behind.
    private(set) var state = State.waiting
    /// What was told last; nil: nothing was.
    private(set) var last: TransferEvent?
    /// The progress that was told last.
    private var lastProgress: Int64?
    private var hasToldStart = false
    /// The pause of the client behind was told already.
    private var owesPause = 0
    private var total: Int64?
    /// Bytes of the metadata; nil: the session has not been asked for yet.
    private var metadata: Int64?
    /// Told once the metadata is known.
    private var held: [TransferEvent] = []
    /// What the server has, as far as it is known.
    private var acknowledged: Int64 = 0

    init(isUpload: Bool, path: String, isRecorded: Bool, _ traits: Traits) {
        self.isUpload = isUpload
        self.path = path
        self.isRecorded = isRecorded
        self.traits = traits
    }

    private var countsSent: Bool { isUpload && traits.progressUnit == .sent }
    private var countsMetadata: Bool { isUpload && traits.progressTotal == .objectAndMetadata }

    // MARK: What comes in

    /// What is told for an event of the client behind.
    mutating func hear(_ event: TransferEvent) -> [TransferEvent] {
        var event = event
        let before = state
        note(event)
        if isUpload { acknowledged = max(acknowledged, event.completed) }
        var told: [TransferEvent]
        switch event.kind {
        case .resume:
            // What was sent in vain is sent, and told, again.
            if countsSent { lastProgress = nil }
            told = started(event)
        case .progress:
            if isKnown(event) { return [] }
            told = [event]
        case .pause:
            if isInMemory, traits.memoryPause == .untold { return [] }
            if owesPause > 0 {
                owesPause -= 1
                return []
            }
            event.completed = paused(event)
            told = [event]
        case .success: told = closing(event) + [event]
        case .failure: told = (before == .waiting ? [] : failing(event)) + [event]
        }
        return tell(told)
    }

    /// What is told right at the call of a pause.
    mutating func willPause() -> [TransferEvent] {
        guard state == .running else { return [] }
        state = .pausing
        guard traits.pauseEvent == .atCall else { return [] }
        owesPause += 1
        return tell([progress(lastProgress ?? 0).with { $0.kind = .pause }])
    }

    mutating func sent(_ bytes: Int64) -> [TransferEvent] {
        guard countsSent, state == .running, bytes != lastProgress else { return [] }
        return tell([progress(bytes)])
    }

    /// The server has so much of an upload that is cut otherwise than the client behind believes.
    mutating func serverHas(_ bytes: Int64) -> [TransferEvent] {
        acknowledged = bytes
        guard !countsSent, state == .running, bytes > lastProgress ?? 0 else { return [] }
        return tell([progress(bytes)])
    }

    /// The request that begins the upload goes out.
    mutating func willStart(metadata bytes: Int64) -> [TransferEvent] {
        guard metadata == nil else { return [] }
        metadata = bytes
        guard countsMetadata else { return [] }
        let told = held
        held = []
        return tell(told)
    }

    // MARK: Habits

    private mutating func note(_ event: TransferEvent) {
        total = event.total ?? total
        switch event.kind {
        case .resume: state = .running
        case .progress: break
        case .pause: state = .paused
        case .success, .failure: state = .ended
        }
    }

    private mutating func started(_ event: TransferEvent) -> [TransferEvent] {
        guard !hasToldStart else { return [event] }
        hasToldStart = true
        switch traits.startEvent {
        case .resume: return [event]
        case .none: return []
        case .zeroProgress: return [event.with { $0.kind = .progress }]
        }
    }

    /// True for progress that was told when it happened: the client behind hears of it later.
    private func isKnown(_ event: TransferEvent) -> Bool {
        guard isUpload, let lastProgress else { return false }
        let isOwn: Bool = if case .doubling = traits.chunks { true } else { countsSent }
        return isOwn && event.completed > 0 && event.completed <= lastProgress
    }

    private func paused(_ event: TransferEvent) -> Int64 {
        guard isUpload else { return event.completed }
        if countsSent { return max(lastProgress ?? 0, event.completed) }
        if case .doubling = traits.chunks { return max(acknowledged, event.completed) }
        return event.completed
    }

    private func closing(_ end: TransferEvent) -> [TransferEvent] {
        guard traits.closingProgress != .none else { return [] }
        return [
            end.with {
                $0.kind = .progress
                $0.metadata = nil
            }
        ]
    }

    private func failing(_ end: TransferEvent) -> [TransferEvent] {
        guard traits.closingProgress == .successAndFailure else { return [] }
        if [.cancelled, .downloadSizeExceeded].contains(end.error?.code) { return [] }
        return [progress(max(lastProgress ?? 0, 0))]
    }

    private func progress(_ bytes: Int64) -> TransferEvent {
        TransferEvent(kind: .progress, completed: bytes, total: total)
    }

    // MARK: What goes out

    private mutating func tell(_ events: [TransferEvent]) -> [TransferEvent] {
        if countsMetadata, metadata == nil {
            // One that fails before it starts has none.
            guard state == .ended else {
                held += events.filter { $0.kind != .pause }
                // A pause before that is told at once, and of a total that is not known yet.
                return events.filter { $0.kind == .pause }.map { pause in
                    pause.with { $0.total = nil }
                }
            }
        }
        var told: [TransferEvent] = []
        let events = held + events
        held = []
        for event in events where event.kind != .progress || traits.progressEvents == .reported {
            if event.kind == .progress { lastProgress = event.completed }
            told.append(withMetadata(event))
        }
        last = told.last ?? last
        return told
    }

    /// Also for snapshots.
    func withMetadata(_ event: TransferEvent) -> TransferEvent {
        guard countsMetadata, let metadata else { return event }
        return event.with {
            if $0.completed > 0 { $0.completed += metadata }
            $0.total = $0.total.map { $0 + metadata }
        }
    }
}
