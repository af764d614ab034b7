import HTTPEngine
import MockServer
import StorageModel

/// The journal for one reader: each record as a line, when its exchange is over.
///
/// What waits for a slow reader is bounded; beyond that records are missed, and a line says how many
/// and which. Confined to the loop.
final class JournalStream {
    let answer: LiveAnswer
    private let filter: JournalFilter
    private let limit: Int
    private var waiting: ArraySlice<JSONValue>
    private var missed = Missed()
    private var isPumping = false

    /// Records that could not wait.
    private struct Missed {
        var count = 0
        var first = 0
        var last = 0

        var line: JSONValue {
            .made([
                "missed": .count(count), "first": .count(first), "last": .count(last),
            ])
        }
    }

    /// - Parameters:
    ///   - opening: the first line.
    ///   - records: those that are told before any that comes.
    ///   - limit: records that may wait.
    init(
        _ answer: LiveAnswer, _ filter: JournalFilter, opening: JSONValue,
        records: [ExchangeRecord], limit: Int
    ) {
        self.answer = answer
        self.filter = filter
        self.limit = limit
        waiting = [opening]
        for record in records { take(record) }
        answer.drained = { [unowned self] in pump() }
    }

    var isOpen: Bool { answer.isOpen }

    /// An exchange is over.
    func take(_ record: ExchangeRecord) {
        guard filter.holds(record) else { return }
        if waiting.count >= limit {
            if missed.count == 0 { missed.first = record.ordinal }
            missed.count += 1
            missed.last = record.ordinal
            return
        }
        tellMissed()
        waiting.append(JournalLine.value(of: record))
        pump()
    }

    /// Everything began anew: ordinals are counted from 1 again.
    func noteReset(_ count: Int) {
        tellMissed()
        waiting.append(.made(["reset": .count(count)]))
        pump()
    }

    /// The server stops.
    func end() {
        tellMissed()
        waiting.append(.made(["end": .string("the server stopped")]))
        pump()
        answer.finish()
    }

    private func tellMissed() {
        guard missed.count > 0 else { return }
        waiting.append(missed.line)
        missed = Missed()
    }

    /// Hands on as many lines as there is room for.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while let line = waiting.first {
            guard answer.push(Array((line.text + "\n").utf8)) else { return }
            waiting = waiting.dropFirst()
        }
        if waiting.startIndex > 0 { waiting = [] }
        tellMissedLate()
    }

    /// A reader that has caught up is told at once, not with the next record.
    private func tellMissedLate() {
        guard missed.count > 0, answer.push(Array((missed.line.text + "\n").utf8)) else { return }
        missed = Missed()
    }
}
