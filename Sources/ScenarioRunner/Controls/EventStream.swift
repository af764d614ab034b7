import EventMatching
import RunModel
import Scenario
import StorageModel

/// The events of a task or of an observer, and the lies that can be told about them.
struct EventStream {
    private let name: String
    private let events: [TransferEvent]
    private let pattern: [EventPattern]?
    private let coarse: CoarsePattern<TransferEvent.Kind>?
    /// Nil for an observer, which no invariant is about.
    private let task: TaskRecord?
    private let except: Set<Invariant>
    private let put: (inout RunEvidence, [TransferEvent]) -> Void

    init(_ task: TaskRecord, _ pattern: [EventPattern]?, except: Set<Invariant>) {
        name = task.name
        events = task.events
        self.pattern = pattern
        coarse = pattern.map(Self.coarse)
        self.task = task
        self.except = except
        put = { evidence, events in
            var task = task
            task.events = events
            evidence.book.replace(task)
        }
    }

    init(_ observer: RunBook.Observer, _ pattern: [EventPattern]?) {
        name = observer.name
        events = observer.events
        self.pattern = pattern
        coarse = pattern.map(Self.coarse)
        task = nil
        except = []
        put = { evidence, events in
            var observer = observer
            observer.events = events
            evidence.book.replace(observer)
        }
    }

    static func coarse(_ pattern: [EventPattern]) -> CoarsePattern<TransferEvent.Kind> {
        CoarsePattern(pattern) { atom in
            switch atom {
            case .event(let condition): [condition.kind]
            case .quiet: []
            }
        }
    }

    // MARK: Lies about the order

    func missing(_ draw: inout Draw) -> [Falsification] {
        representatives(&draw).flatMap { index in
            var told = events
            let gone = told.remove(at: index)
            let isEnd = gone.kind.isTerminal && terminals.count == 1
            let isMissed = isEnd && told.last?.kind != .pause && task?.hasRecorder == true
            return lies(
                .eventMissing, "\(text(index)) was left out", told,
                isMissed && task?.isCutOff == false ? [.oneTerminal] : [])
        }
    }

    func doubled(_ draw: inout Draw) -> [Falsification] {
        representatives(&draw).flatMap { index in
            var told = events
            told.insert(events[index], at: index)
            let noticers: [Invariant] =
                switch events[index].kind {
                case .success, .failure: [.oneTerminal]
                case .pause, .resume: [.alternation]
                case .progress: []
                }
            return lies(.eventDoubled, "\(text(index)) was told twice", told, noticers)
        }
    }

    func swapped(_ draw: inout Draw) -> [Falsification] {
        representatives(&draw).filter { index in
            index + 1 < events.count && events[index].kind != events[index + 1].kind
        }.flatMap { index in
            var told = events
            told.swapAt(index, index + 1)
            // Each place keeps its time.
            for place in [index, index + 1] {
                told[place].time = events[place].time
                told[place].headsBefore = events[place].headsBefore
            }
            let isEnd = events[index + 1].kind.isTerminal && !events[index].kind.isTerminal
            return lies(
                .eventsSwapped, "\(text(index)) and \(text(index + 1)) changed places", told,
                isEnd ? [.nothingAfter] : [])
        }
    }

    func afterEnd(_ draw: inout Draw) -> [Falsification] {
        guard let end = events.last, end.kind.isTerminal else { return [] }
        let late = TransferEvent(
            kind: .progress, completed: end.completed, total: end.total,
            time: end.time + .milliseconds(1))
        return lies(
            .eventAfterEnd, "a progress was added behind \(text(events.count - 1))",
            events + [late], [.nothingAfter])
    }

    // MARK: Lies about one event

    func endChanged(_ draw: inout Draw) -> [Falsification] {
        guard terminals.count == 1, let index = terminals.first else { return [] }
        var told = events
        let isSuccess = told[index].kind == .success
        told[index].kind = isSuccess ? .failure : .success
        told[index].error = isSuccess ? ClientError(code: .unknown) : nil
        let isContradicted =
            task.map { task in
                task.hasRecorder && task.hasCompletion && !task.isCutOff
                    && task.completions.count == 1
                    && (task.completions[0].error == nil) == isSuccess
            } ?? false
        return lies(
            .endChanged, "\(text(index)) was told as \(told[index].kind.rawValue)", told,
            isContradicted ? [.completion] : [])
    }

    func progressChanged(_ draw: inout Draw) -> [Falsification] {
        let places = events.indices.filter { events[$0].kind == .progress }
        guard let index = draw.pick(places) else { return [] }
        var told = events
        let total = events[index].total
        // A client may tell of any number.
        let wrong = total.flatMap { $0 == .max ? nil : $0 + 1 } ?? -1
        told[index].completed = wrong
        let value = lies(
            .progressChanged, "\(text(index)) was told as progress@\(wrong)", told,
            [.progressBounds], isPatternBroken: !mayTake(told[index]))
        guard let total, events.count(where: { $0.total != nil }) > 1 else { return value }
        told = events
        told[index].total = total == .max ? 0 : total + 1
        return value
            + lies(
                .progressChanged, "the total of \(text(index)) was told as another", told,
                [.progressTotal])
    }

    /// False where every part of the pattern that takes a progress tests its bytes, and none allows
    /// these.
    private func mayTake(_ event: TransferEvent) -> Bool {
        pattern?.flatMap(\.atoms).contains { $0.accepts(event) } ?? true
    }

    // MARK: Parts

    private var terminals: [Int] { events.indices.filter { events[$0].kind.isTerminal } }

    /// One index for each kind of event between the same neighbours, drawn: what the rules look at is
    /// the same for the others.
    private func representatives(_ draw: inout Draw) -> [Int] {
        var groups: [[TransferEvent.Kind?]: [Int]] = [:]
        for index in events.indices {
            let before = index > 0 ? events[index - 1].kind : nil
            let after = index + 1 < events.count ? events[index + 1].kind : nil
            groups[[before, events[index].kind, after], default: []].append(index)
        }
        let ordered = groups.values.sorted { $0[0] < $1[0] }
        return ordered.compactMap { draw.pick($0) }
    }

    /// The lie, once for each that has to notice it: the pattern, and invariants of a task.
    private func lies(
        _ kind: Control.Kind, _ what: String, _ told: [TransferEvent], _ invariants: [Invariant],
        isPatternBroken: Bool = false
    ) -> [Falsification] {
        var noticers: [Noticer] = []
        if isPatternBroken || coarse?.excludes(told.map(\.kind)) == true {
            noticers.append(.expectation(.events, subject: name))
        }
        if task != nil {
            noticers += invariants.filter { !except.contains($0) }
                .map { .invariant($0, task: name) }
        }
        return noticers.map { noticer in
            Falsification(kind, what, noticer: noticer) { put(&$0, told) }
        }
    }

    private func text(_ index: Int) -> String {
        let event = events[index]
        let name =
            switch event.kind {
            case .progress: "progress@\(event.completed)"
            case .failure: "failure(\(event.error?.code.rawValue ?? "unknown"))"
            case .resume, .pause, .success: event.kind.rawValue
            }
        return "\(name) of \(self.name) at \(ReportText.time(event.time))"
    }
}
