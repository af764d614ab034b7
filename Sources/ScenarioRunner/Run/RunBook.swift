import ClientDriver
import EventMatching
import Scenario
import StorageModel

/// What was seen of one run: everything that expectations are held against. Times are counted from
/// the scenario's start.
struct RunBook {
    struct Observer {
        var name: String
        var task: String
        var start: Duration
        var events: [TransferEvent] = []
    }

    struct Result {
        var name: String
        var start: Duration
        var end: Duration?
        var reply: ClientReply?
        /// How often an answer came.
        var answers = 0

        /// The error it ended with.
        var error: ClientError? {
            guard case .error(let error) = reply else { return nil }
            return error
        }
    }

    /// A local file of a download, before and after.
    struct Destination {
        var before: (any ByteSource)?
        /// Nil for a download into memory.
        var path: String?
        /// What the completion was given.
        var received: (any ByteSource)?

        /// The file as it is now, or what the completion was given.
        var seen: (any ByteSource)? { path.map { FileSource(path: $0) } ?? received }
    }

    private(set) var tasks: [TaskRecord] = []
    private(set) var observers: [Observer] = []
    private(set) var results: [Result] = []
    /// What each upload's source held when it started.
    var sources: [String: any ByteSource] = [:]
    var destinations: [String: Destination] = [:]
    /// Metadata of the success snapshot, or of the completion where there was no recorder.
    private(set) var metadata: [String: [String: String]] = [:]
    /// Tasks whose local files a step has changed.
    var touched: Set<String> = []
    private(set) var tokensAsked = 0
    private var taskPlaces: [String: Int] = [:]
    private var observerPlaces: [String: Int] = [:]
    private var resultPlaces: [String: Int] = [:]

    // MARK: Beginnings

    mutating func begin(_ task: TaskRecord) {
        taskPlaces[task.name] = tasks.count
        tasks.append(task)
    }

    /// An observer; the newest of a name counts, and goes on where the one before it stopped.
    mutating func beginObserver(_ name: String, of task: String, at time: Duration) {
        guard observerPlaces[name] == nil else { return }
        observerPlaces[name] = observers.count
        observers.append(Observer(name: name, task: task, start: time))
    }

    /// Returns the result's place.
    mutating func beginResult(_ name: String, at time: Duration) -> Int {
        resultPlaces[name] = results.count
        results.append(Result(name: name, start: time))
        return results.count - 1
    }

    // MARK: What is reported

    mutating func observed(_ event: TransferEvent, task: String) {
        guard let place = taskPlaces[task] else { return }
        tasks[place].events.append(event)
        if event.kind == .success { metadata[task] = event.metadata }
    }

    mutating func observed(_ event: TransferEvent, observer: String) {
        guard let place = observerPlaces[observer] else { return }
        observers[place].events.append(event)
    }

    mutating func completed(_ completion: TaskCompletion, task: String, at time: Duration) {
        guard let place = taskPlaces[task] else { return }
        tasks[place].completions.append(
            TaskRecord.Completion(error: completion.error, time: time))
        if let fields = completion.metadata, metadata[task] == nil { metadata[task] = fields }
        switch completion.content {
        case .bytes(let bytes)?: destinations[task]?.received = ByteArraySource(bytes)
        case .file(let path)?: destinations[task]?.received = FileSource(path: path)
        case nil: break
        }
    }

    mutating func answered(_ place: Int, _ reply: ClientReply, at time: Duration) {
        results[place].answers += 1
        results[place].reply = reply
        results[place].end = time
    }

    mutating func asked() { tokensAsked += 1 }

    /// The client's process ended: its tasks go on no more.
    mutating func cutOff() {
        for place in tasks.indices where !tasks[place].isOver { tasks[place].isCutOff = true }
    }

    // MARK: Controls

    /// Puts what is told of a task into the place of what was seen.
    mutating func replace(_ task: TaskRecord) {
        if let place = taskPlaces[task.name] { tasks[place] = task }
    }

    mutating func replace(_ observer: Observer) {
        if let place = observerPlaces[observer.name] { observers[place] = observer }
    }

    mutating func replace(_ result: Result) {
        if let place = resultPlaces[result.name] { results[place] = result }
    }

    mutating func replaceMetadata(of task: String, by fields: [String: String]?) {
        metadata[task] = fields
    }

    mutating func replaceTokensAsked(by number: Int) { tokensAsked = number }

    // MARK: Looking

    func task(_ name: String) -> TaskRecord? { taskPlaces[name].map { tasks[$0] } }

    func observer(_ name: String) -> Observer? { observerPlaces[name].map { observers[$0] } }

    func result(_ name: String) -> Result? { resultPlaces[name].map { results[$0] } }

    /// True when every task came to an end that it may come to.
    var areTasksOver: Bool { tasks.allSatisfy(\.isOver) }
}

extension TaskRecord {
    /// True when it ended, as far as it can be seen.
    var isOver: Bool {
        if isCutOff { return true }
        let isEventDue = hasRecorder && !events.contains { $0.kind.isTerminal }
        let isCompletionDue = hasCompletion && completions.isEmpty
        return !isEventDue && !isCompletionDue
    }

    /// True when it ended or rests in a pause.
    var isAtRest: Bool { isOver || isPausedAtEnd }
}
