import EventMatching
import FaultEngine
import MockServer
import Scenario
import StorageModel

/// A scenario of what a server has seen: what is not in the journal is guessed, and said to be.
struct ServedSession {
    private let file: String
    private let tool: String
    private let records: [ExchangeRecord]
    private var scenario: ScenarioFile
    private var comments = YAMLComments()

    init(_ journal: JournalReader, file: String) {
        self.file = file
        tool = journal.tool
        // What a browser asks beforehand is its own affair, and a resend is the transport's.
        records = journal.records.filter { record in
            record.operation != .connect && record.operation != .preflight
                && record.resendOf == nil
        }
        let place = SourcePlace(file: file, line: 1, column: 1)
        let setup = journal.scenario.flatMap { text in
            ScenarioLoader().read(Array(text.utf8), file: file, id: "setup").planned.first
        }
        scenario = setup?.scenario ?? ScenarioFile(title: Placed("", place))
        scenario.title = Placed("The client does what it did when this was seen", place)
        scenario.level = .may
        let faults = SessionFaults(journal.records, given: scenario.faults)
        scenario.faults = faults.rules
        addTop(faults.remarks)
        if setup == nil { comments.add("Guessed from the requests.", above: ["backend"]) }
        let steps = SessionSteps(records)
        complete(steps)
        scenario.steps = steps.steps
        for (index, remarks) in steps.remarks {
            for remark in remarks { comments.add(remark, above: ["steps", String(index)]) }
        }
        expect(steps)
    }

    var isEmpty: Bool { records.isEmpty }

    var text: String { scenario.text(comments: comments) }

    private mutating func addTop(_ remarks: [String]) {
        comments.add("Made by `squall new --from` of a journal of \(tool).", above: [])
        comments.add(
            "Bodies and headers are not in a journal: contents are made up, steps are guessed from the",
            above: [])
        comments.add(
            "requests. Read it, correct what is marked, and say in `title` what it shows.",
            above: [])
        for remark in remarks { comments.add(remark, above: []) }
    }

    // MARK: Backend and client

    /// What the requests tell of the backend and the client, where the journal does not.
    private mutating func complete(_ steps: SessionSteps) {
        let given = Set(scenario.backend.settings.objects.map(\.path))
        for object in steps.neededObjects where !given.contains(object.path) {
            scenario.backend.settings.objects.append(object)
            comments.add(
                "Guessed: it was there, for it was asked for and found.",
                above: ["backend", "objects", object.path])
        }
        let buckets = Set(records.compactMap(\.bucket))
        if !scenario.backend.givesBucket, buckets.count == 1, let bucket = buckets.first {
            scenario.backend.settings.bucket = bucket
            scenario.backend.givesBucket = true
        }
        if scenario.client.chunkSize == nil, let size = steps.chunkSize {
            scenario.client.chunkSize = size
            comments.add("Guessed: the longest body of a chunk.", above: ["client", "chunkSize"])
        }
        if scenario.client.tokens.isEmpty, records.contains(where: \.hasCredentials),
            let name = scenario.backend.settings.tokens?.keys.min()
        {
            scenario.client.tokens = [ClientSettings.TokenStep(answer: .give(name))]
            comments.add(
                "Guessed: there were credentials, and which is not written.",
                above: ["client", "token"])
        }
    }

    // MARK: Expectations

    private mutating func expect(_ steps: SessionSteps) {
        let place = SourcePlace(file: file, line: 1, column: 1)
        for name in steps.tasks {
            scenario.expect.tasks.append(TaskExpectation(name: name, place: place))
            comments.add(
                "To fill in, a server does not see them: events: [resume, progress+, success]",
                above: ["expect", name])
        }
        let patterns = RequestPattern.seen(records)
        scenario.expect.requests = [Placed(RequestsExpectation.Part(pattern: patterns), place)]
        comments.add(
            "The requests in the order in which they came.", above: ["expect", "requests"])
        let complaints = Set(records.flatMap(\.complaints).map(\.name)).sorted()
        if !complaints.isEmpty {
            scenario.expect.complaints = Placed(.names(complaints), place)
        }
    }
}
