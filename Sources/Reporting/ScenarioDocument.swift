internal import EventMatching
internal import RunModel
internal import StorageModel

/// One scenario of the JSON report.
struct ScenarioDocument: Encodable {
    let id: String
    let title: String
    let file: String
    let level: String
    let sources: [String]
    let verdict: String
    let reason: String?
    let listed: ListedEntryDocument?
    let durationMilliseconds: Int64
    let seed: String
    let digest: String
    let earlierTries: [TryDocument]
    let failures: [FailureDocument]
    let tasks: [TaskDocument]
    let exchanges: [ExchangeDocument]
    let unfiredFaults: [UnfiredFaultDocument]
    let clientOutput: String?
    let `repeat`: String?

    init(_ result: ScenarioResult) {
        id = result.id
        title = result.title
        file = result.file
        level = result.level.rawValue
        sources = result.sources
        verdict = result.verdict.rawValue
        reason = result.reason
        listed = result.listed.map(ListedEntryDocument.init)
        durationMilliseconds = result.duration.milliseconds
        seed = String(result.seed)
        digest = result.digest
        earlierTries = result.earlierTries.map(TryDocument.init)
        failures = result.failures.map(FailureDocument.init)
        tasks = result.tasks.map(TaskDocument.init)
        exchanges = result.exchanges.map(ExchangeDocument.init)
        unfiredFaults = result.unfiredFaults.map(UnfiredFaultDocument.init)
        // What a client says of itself while all is well is nobody's business.
        clientOutput = result.verdict == .passed ? nil : result.clientOutput
        `repeat` = result.repeatCommand
    }
}

/// The entry of the client's lists that fits a scenario.
struct ListedEntryDocument: Encodable {
    let list: String
    let scenario: String
    let reason: String
    let link: String
    let expires: String?
    let place: PlaceDocument?

    init(_ entry: ListedEntry) {
        list = entry.list.rawValue
        scenario = entry.pattern
        reason = entry.reason
        link = entry.link
        expires = entry.expires
        place = PlaceDocument(entry.place)
    }
}

struct TryDocument: Encodable {
    let verdict: String
    let seed: String
    let sentence: String?

    init(_ earlier: Try) {
        verdict = earlier.verdict.rawValue
        seed = String(earlier.seed)
        sentence = earlier.sentence
    }
}

struct UnfiredFaultDocument: Encodable {
    let name: String
    let sentence: String
    let place: PlaceDocument?

    init(_ fault: UnfiredFault) {
        name = fault.name
        sentence = fault.sentence
        place = PlaceDocument(fault.place)
    }
}

struct FailureDocument: Encodable {
    struct Row: Encodable {
        let mark: String
        let milliseconds: Int64?
        let expected: String?
        let seen: String?
        let cause: String?
    }

    let kind: String
    let subject: String?
    let sentence: String
    let invariant: String?
    let place: PlaceDocument?
    let difference: [Row]?
    let notes: [String]

    init(_ failure: Failure) {
        kind = failure.kind.rawValue
        subject = failure.subject
        sentence = failure.sentence
        invariant = failure.invariant?.rawValue
        place = PlaceDocument(failure.place)
        difference = failure.difference?.rows.map { row in
            Row(
                mark: row.mark.rawValue, milliseconds: row.time?.milliseconds,
                expected: row.expected, seen: row.seen, cause: row.cause)
        }
        notes = failure.notes
    }
}
