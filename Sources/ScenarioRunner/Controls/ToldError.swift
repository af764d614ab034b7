import ClientDriver
import EventMatching
import RunModel
import Scenario
import StorageModel

/// How a task or a step ended, by all that tells of it, and the lies that can be told about that.
struct ToldError {
    enum Subject {
        case task(TaskRecord, TaskExpectation?)
        case result(RunBook.Result, ResultExpectation)
    }

    private let subject: Subject

    init(_ subject: Subject) {
        self.subject = subject
    }

    /// Another code than the client's, in the event, the completion and the reply.
    func codeChanged(_ draw: inout Draw) -> [Falsification] {
        guard let error else { return [] }
        let others = ErrorCode.allCases.filter { code in
            code != error.code && (!allows(code) || !patternAllows(code))
        }
        guard let code = draw.pick(others) else { return [] }
        var wrong = error
        wrong.code = code
        var noticers: [Noticer] = []
        if !allows(code) { noticers.append(.expectation(.error, subject: name)) }
        if !patternAllows(code) { noticers.append(.expectation(.events, subject: name)) }
        let what = "the error \(error.code.rawValue) of \(name) was told as \(code.rawValue)"
        return noticers.map { noticer in
            Falsification(.codeChanged, what, noticer: noticer) { tell(wrong, &$0) }
        }
    }

    /// An error where there was a success.
    func invented(_ draw: inout Draw) -> [Falsification] {
        guard error == nil, isOver else { return [] }
        let wrong = ClientError(code: .unknown)
        var noticers: [Noticer] = []
        if test?.codes == ErrorTest.Codes.none {
            noticers.append(.expectation(.error, subject: name))
        }
        switch subject {
        case .task(let task, let expected):
            if Self.excludes(expected, Self.told(wrong, task)) {
                noticers.append(.expectation(.events, subject: name))
            }
        case .result(_, let expected):
            if !expected.values.isEmpty { noticers.append(.expectation(.result, subject: name)) }
        }
        return noticers.map { noticer in
            Falsification(
                .errorInvented, "the success of \(name) was told as unknown", noticer: noticer
            ) { tell(wrong, &$0) }
        }
    }

    /// A success where there was an error.
    func hidden(_ draw: inout Draw) -> [Falsification] {
        guard let error else { return [] }
        var noticers: [Noticer] = []
        if let test, test.codes != .none { noticers.append(.expectation(.error, subject: name)) }
        if case .task(let task, let expected) = subject,
            Self.excludes(expected, Self.told(nil, task))
        {
            noticers.append(.expectation(.events, subject: name))
        }
        let what = "the error \(error.code.rawValue) of \(name) was told as success"
        return noticers.map { noticer in
            Falsification(.errorHidden, what, noticer: noticer) { tell(nil, &$0) }
        }
    }

    // MARK: Parts

    private var name: String {
        switch subject {
        case .task(let task, _): task.name
        case .result(let result, _): result.name
        }
    }

    private var error: ClientError? {
        switch subject {
        case .task(let task, _):
            task.events.first { $0.kind == .failure }?.error
                ?? task.completions.first { $0.error != nil }?.error
        case .result(let result, _): result.error
        }
    }

    private var isOver: Bool {
        switch subject {
        case .task(let task, _):
            task.events.contains { $0.kind.isTerminal } || !task.completions.isEmpty
        case .result(let result, _): result.answers > 0
        }
    }

    private var test: ErrorTest? {
        switch subject {
        case .task(_, let expected): expected?.error?.value
        case .result(_, let expected): expected.error?.value
        }
    }

    /// False where the test on the error refuses the code.
    private func allows(_ code: ErrorCode) -> Bool {
        switch test?.codes {
        case nil, .any?, ErrorTest.Codes.none?: true
        case .one(let wanted)?: code == wanted
        case .allowed(let wanted)?: wanted.contains(code)
        }
    }

    /// False where every failure of the pattern names codes, and this is none of them.
    private func patternAllows(_ code: ErrorCode) -> Bool {
        guard case .task(let task, let expected?) = subject, let events = expected.events,
            task.events.contains(where: { $0.kind == .failure })
        else { return true }
        let event = TransferEvent(kind: .failure, error: ClientError(code: code))
        return events.value.flatMap(\.atoms).contains { $0.accepts(event) }
    }

    private static func excludes(_ expected: TaskExpectation?, _ task: TaskRecord) -> Bool {
        guard let pattern = expected?.events?.value else { return false }
        return EventStream.coarse(pattern).excludes(task.events.map(\.kind))
    }

    /// The task with another end, in its event as in its completion.
    private static func told(_ error: ClientError?, _ task: TaskRecord) -> TaskRecord {
        var task = task
        for index in task.events.indices where task.events[index].kind.isTerminal {
            task.events[index].kind = error == nil ? .success : .failure
            task.events[index].error = error
        }
        for index in task.completions.indices { task.completions[index].error = error }
        return task
    }

    private func tell(_ error: ClientError?, _ evidence: inout RunEvidence) {
        switch subject {
        case .task(let task, _): evidence.book.replace(Self.told(error, task))
        case .result(var result, _):
            result.reply = error.map { .error($0) } ?? .result(.done)
            evidence.book.replace(result)
        }
    }
}
