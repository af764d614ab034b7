import CloudStorage

/// Holds a task's tape against the rules, from the words of the scenario language and of the product
/// pages alone: it knows nothing of how a task is made.
package struct TapeChecker {
    private let facts: TapeFacts
    private var violations: [Violation] = []
    /// Recorded events, in order.
    private var main: [Showing] = []
    private var completions: [Showing] = []
    private var removed: Set<Int> = []
    private var watches: [Int: Watch] = [:]
    private var isPaused = true
    private var lastProgress: Int64?
    private var total: Int64?
    private var counts: [StorageTaskStatus: Int] = [:]
    /// Resumes that had been told when a pause was called, by the pause's number.
    private var pauseBegins: [Int: Int] = [:]
    /// A pause has returned and no resume was told since it was called.
    private var isStill = false
    /// Progress that was told while still: the end has to follow.
    private var doubtful: Showing?

    /// What is known of an observer that came later.
    private struct Watch {
        /// Events there had been when its adding was noted.
        var addedAt: Int?
        /// Events that it was called for, by their place.
        var calls: [Int] = []
        var wasAddedBeforeEnd = false
        /// Was told of a start that lay before its adding.
        var knowsStart = false
    }

    private init(_ facts: TapeFacts) { self.facts = facts }

    /// Every breach of a rule, in the order of the tape.
    package static func violations(of tape: [TapeEntry], _ facts: TapeFacts) -> [Violation] {
        var checker = TapeChecker(facts)
        for entry in tape { checker.take(entry) }
        checker.close()
        return checker.violations
    }

    private mutating func broke(_ rule: Violation.Rule, _ text: String) {
        violations.append(Violation(rule, text))
    }

    private var end: Showing? { main.last { $0.isEnd } }

    private mutating func take(_ entry: TapeEntry) {
        switch entry {
        case .told(let observer, let showing):
            called(observer, showing)
            if observer <= 5 { recorded(showing) } else { watched(observer, showing) }
        case .completed(let showing):
            missedAny()
            errorFits(showing)
            completions.append(showing)
        case .note(let note): noted(note)
        }
    }

    private mutating func noted(_ note: TapeEntry.Note) {
        switch note {
        case .added(let observer):
            let (count, isBeforeEnd) = (main.count, end == nil)
            watches[observer, default: Watch()].addedAt = count
            watches[observer]?.wasAddedBeforeEnd = isBeforeEnd
        case .removed(let observers): removed.formUnion(observers)
        case .pauseBegan(let number): pauseBegins[number] = counts[.resume, default: 0]
        case .pauseReturned(let number):
            if pauseBegins[number] == counts[.resume, default: 0] { isStill = true }
        case .cancelReturned:
            if end == nil, !facts.mayBeTooLate, !facts.hasHoles {
                broke(.cancelAtOnce, "cancel has returned and no end was told")
            }
        case .did: break
        }
    }

    /// What holds for every observer.
    private mutating func called(_ observer: Int, _ showing: Showing) {
        if removed.contains(observer) {
            broke(.removed, "observer \(observer) was removed and is told \(showing)")
        }
        if facts.observers[observer] != showing.status {
            let wanted = facts.observers[observer].map { "\($0)" } ?? "nothing"
            broke(.ownStatus, "observer \(observer) waits for \(wanted) and is told \(showing)")
        }
        errorFits(showing)
        guard let total = showing.total ?? total else {
            if showing.completed < 0 { broke(.progressBounds, "\(showing)") }
            return
        }
        if showing.completed < 0 || showing.completed > total {
            broke(.progressBounds, "\(showing) is beyond \(total) bytes")
        }
    }

    private mutating func errorFits(_ showing: Showing) {
        if (showing.code != nil) != (showing.status == .failure) {
            broke(.errorWithFailure, "\(showing) has \(showing.code == nil ? "no" : "an") error")
        }
    }

    // MARK: The recorders

    private mutating func recorded(_ showing: Showing) {
        missedAny()
        defer {
            main.append(showing)
            counts[showing.status, default: 0] += 1
        }
        if !completions.isEmpty { broke(.nothingAfter, "\(showing) behind the completion") }
        if let end { broke(.nothingAfter, "\(showing) behind \(end)") }
        if let total, total != showing.total {
            broke(.progressTotal, "\(showing) after a total of \(total)")
        }
        total = showing.total ?? total
        guard !facts.hasHoles else { return }
        if main.isEmpty, showing.status != .resume, showing.status != .failure {
            broke(.begins, "the first event is \(showing)")
        }
        if let doubtful, showing.status != .success || showing.completed != doubtful.completed {
            broke(.quietWhilePaused, "\(doubtful) after pause had returned, then \(showing)")
        }
        doubtful = nil
        turn(showing)
        if showing.status == .progress { progressed(showing) }
        if showing.status == .success, lastProgress != showing.completed {
            let last = lastProgress.map { "\($0)" } ?? "none"
            broke(.lastProgress, "\(showing) while the last progress was \(last)")
        }
        if showing.status == .success, let total = showing.total, total != showing.completed {
            broke(.lastProgress, "\(showing) without all bytes")
        }
    }

    private mutating func turn(_ showing: Showing) {
        switch showing.status {
        case .resume:
            if !isPaused { broke(.alternation, "two resumes without a pause: \(showing)") }
            isPaused = false
            isStill = false
        case .pause:
            if isPaused { broke(.alternation, "a pause of what stands still: \(showing)") }
            isPaused = true
        case .unknown, .progress, .success, .failure: break
        }
    }

    private mutating func progressed(_ showing: Showing) {
        if isPaused { broke(.quietWhilePaused, "\(showing) between pause and resume") }
        if isStill { doubtful = showing }
        if let lastProgress, showing.completed <= lastProgress, !facts.mayFall {
            broke(.progressMonotone, "\(showing) after \(lastProgress)")
        }
        lastProgress = showing.completed
    }

    // MARK: Observers that came later

    private mutating func watched(_ observer: Int, _ showing: Showing) {
        guard !facts.hasHoles else { return }
        var watch = watches[observer] ?? Watch()
        defer { watches[observer] = watch }
        let place = main.count - 1
        if !completions.isEmpty, watch.wasAddedBeforeEnd {
            broke(.completion, "observer \(observer) is told \(showing) after the completion")
        }
        if isLateStart(showing, to: observer, watch) {
            watch.knowsStart = true
            return
        }
        guard main.last == showing else {
            let last = main.last.map { "\($0)" } ?? "nothing"
            return broke(.order, "observer \(observer) is told \(showing) after \(last)")
        }
        if watch.calls.contains(place) {
            broke(.order, "observer \(observer) is told \(showing) twice")
        }
        if let before = watch.calls.last, before < place {
            let skipped = main[(before + 1)..<place].filter { $0.status == showing.status }
            if !skipped.isEmpty { broke(.missed, "observer \(observer) missed \(skipped)") }
        }
        watch.calls.append(place)
    }

    /// An observer that was added elsewhere learns once, before all else, that the transfer runs.
    private func isLateStart(_ showing: Showing, to observer: Int, _ watch: Watch) -> Bool {
        facts.addedElsewhere.contains(observer) && showing.status == .resume && !isPaused
            && end == nil && watch.calls.isEmpty && !watch.knowsStart && main.last != showing
    }

    /// Everybody who waited for the last event has been called before the next.
    private mutating func missedAny() {
        guard !facts.hasHoles, completions.isEmpty, let last = main.last else { return }
        let place = main.count - 1
        for (observer, watch) in watches.sorted(by: { $0.key < $1.key })
        where facts.observers[observer] == last.status && !facts.removed.contains(observer) {
            guard let addedAt = watch.addedAt, addedAt <= place, watch.calls.last != place
            else { continue }
            broke(.missed, "observer \(observer) was not told \(last)")
        }
    }

    // MARK: The end of the tape

    private mutating func close() {
        if completions.count != 1 {
            broke(.completion, "\(completions.count) completions")
        }
        guard let completion = completions.first else { return }
        if !completion.isEnd { broke(.completion, "the completion shows \(completion)") }
        let ends = main.filter(\.isEnd)
        if ends.count > 1 || (ends.isEmpty && !facts.hasHoles) {
            broke(.oneTerminal, "\(ends.count) ends")
        }
        if let end = ends.first, !end.agrees(with: completion) {
            broke(.completion, "the completion shows \(completion), the observers \(end)")
        }
        causes(of: completion)
        for (observer, status) in facts.observers.sorted(by: { $0.key < $1.key })
        where observer > 5 && !facts.hasHoles {
            lastCall(of: observer, waitingFor: status, completion)
        }
    }

    /// An observer of the end is told it once, however late it came.
    private mutating func lastCall(
        of observer: Int, waitingFor status: StorageTaskStatus, _ completion: Showing
    ) {
        let count = watches[observer]?.calls.count ?? 0
        guard status == .success || status == .failure else { return }
        let wanted = status == completion.status ? 1 : 0
        if count > wanted || (count < wanted && !facts.removed.contains(observer)) {
            broke(.missed, "observer \(observer) of \(status) was called \(count) times")
        }
    }

    private mutating func causes(of completion: Showing) {
        if counts[.pause, default: 0] > facts.pauses {
            broke(.cause, "\(counts[.pause, default: 0]) pauses, asked for \(facts.pauses)")
        }
        if counts[.resume, default: 0] > facts.resumes + 1 {
            broke(.cause, "\(counts[.resume, default: 0]) resumes, asked for \(facts.resumes)")
        }
        guard completion.status == .failure else { return }
        if completion.code == StorageErrorCode.cancelled.rawValue {
            if facts.cancels == 0 { broke(.cause, "cancelled, and nobody called cancel") }
        } else if !facts.mayFail {
            broke(.cause, "\(completion.text), and nothing had failed")
        }
    }
}
