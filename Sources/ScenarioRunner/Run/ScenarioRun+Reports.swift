import ClientDriver
import EventLoop
import EventMatching
import FaultEngine
import MockServer
import RunModel
import Scenario
import StorageModel

// What client and server report.
extension ScenarioRun: ClientSink {
    func observed(_ event: TransferEvent, task: String, observer: String?) {
        guard phase != .over else { return }
        var event = event
        event.headsBefore = server?.assumeIsolated { $0.arrivedCount }
        if let observer { return book.observed(event, observer: observer) }
        book.observed(event, task: task)
        moments.note(event, of: task)
        server?.assumeIsolated { $0.noteEvent(event, of: task) }
        // A client may confirm a resume before it tells of it.
        if phase == .settling, !book.tasks.allSatisfy(\.isAtRest) { phase = .running }
        schedulePoll()
    }

    func completed(_ completion: TaskCompletion, task: String) {
        guard phase != .over else { return }
        book.completed(completion, task: task, at: now)
        schedulePoll()
    }

    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        book.asked()
        guard let step = tokens.next(for: question.instance) else { return answer(.none) }
        let given: TokenAnswer =
            switch step.answer {
            case .give(let name): .token(name)
            case .fail(let text): .failure(text)
            }
        let give = Confined { answer(given) }
        if step.after > .zero { after(step.after) { give.call() } } else { give.call() }
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        guard phase != .over else { return lastWords.append(misbehaviour) }
        fail(Failure(.client, "the client \(misbehaviour)"))
        loop.post { [self] in finish() }
    }

    /// The server's journal.
    func heard(_ event: JournalEvent) {
        switch event {
        case .head(let record):
            moments.noteHead(at: record.start)
            if record.ordinal > scenario.exchangeBudget { overspend() }
        case .fault(_, let fired): moments.noteFault(fired.name, at: fired.time)
        case .problem, .held: break
        case .end: break
        }
        schedulePoll()
    }

    private func overspend() {
        guard phase == .running || phase == .settling else { return }
        fail(
            Failure(
                .budget,
                "more than \(scenario.exchangeBudget) requests came by \(now.scenarioText)"))
        loop.post { [self] in finish() }
    }

    // MARK: Who waits for what

    /// What a client owes that is at fault when nothing goes on, in words.
    var whatIsMissing: String {
        let open = unanswered.sorted { $0.key < $1.key }.map { "'\($0.value)'" }
        let late = book.tasks.filter { !$0.isAtRest }
        let owing = late.filter { $0.events.contains { $0.kind.isTerminal } }.map(\.name)
        let silent = late.filter { !$0.completions.isEmpty && $0.hasCompletion }.map(\.name)
        let going = late.map(\.name).filter { !owing.contains($0) && !silent.contains($0) }
        var parts: [String] = []
        if !open.isEmpty { parts.append("the client never answered \(Self.list(open))") }
        if !owing.isEmpty {
            parts.append("the completion of \(Self.list(owing)) was never called")
        }
        if !silent.isEmpty {
            parts.append("\(Self.list(silent)) completed without a terminal event")
        }
        if open.isEmpty, !going.isEmpty { parts.append("\(Self.list(going)) has not ended") }
        if parts.isEmpty { parts = stepWaits() }
        return parts.isEmpty ? "a step has not ended" : parts.joined(separator: ", ")
    }

    /// Under the virtual clock's lock, or on the loop; the loop is asleep, or it is this thread.
    func serverWaits() -> [String] {
        guard let server, loop.isCurrent else { return [] }
        return server.assumeIsolated { $0.waiting }
    }

    func stepWaits() -> [String] {
        machine.waiting.compactMap { index in
            let entry = machine.entries[index]
            guard case .step(let verb) = entry.work, let when = entry.when else { return nil }
            return "'\(verb.name)' at line \(entry.place.line) waits for \(when.text)"
        }
    }

    func taskWaits() -> [String] {
        book.tasks.filter { !$0.isOver }.map { task in
            guard let last = task.events.last else { return "\(task.name): no event yet" }
            return "\(task.name): last event \(last.kind.rawValue) at \(last.time.scenarioText)"
        }
    }
}

/// A closure that stays on the loop it came from.
struct Confined: @unchecked Sendable {
    // Invariant: made and called on one loop's thread.
    let call: () -> Void

    init(_ call: @escaping () -> Void) { self.call = call }
}
