import ClientDriver
import StorageModel

/// A report as two runs can be compared by it: without what a server makes anew each time.
struct ReportSummary: Sendable {
    /// The reports whose order among themselves counts.
    enum Stream: Hashable, Comparable, Sendable {
        case task(String)
        case observer(String, of: String)
        case answer(Int)
        case questions

        var text: String {
            switch self {
            case .task(let task): "task '\(task)'"
            case .observer(let name, let task): "observer '\(name)' of '\(task)'"
            case .answer(let id): "answer to call \(id)"
            case .questions: "questions"
            }
        }
    }

    let stream: Stream
    let text: String
    /// Bytes of a `progress`, which is one with those before it.
    let progress: Int64?
    /// Bytes of an event before the last of a transfer, and the text without them.
    private var passing: (bytes: Int64, total: Int64?, text: String)?

    init(_ report: ReportMessage) {
        switch report {
        case .hello(let id, let hello, _):
            stream = .answer(id)
            let names = hello.capabilities.sorted().map(\.rawValue).joined(separator: ", ")
            text = "\(hello.name) \(hello.version), profile \(hello.profile): \(names)"
            progress = nil
        case .reply(let id, let reply):
            stream = .answer(id)
            text = Self.text(reply)
            progress = nil
        case .event(let event, let task, let observer):
            stream = observer.map { .observer($0, of: task) } ?? .task(task)
            progress = event.kind == .progress ? event.completed : nil
            let total = event.total.map { " of \($0)" } ?? ""
            let name = event.kind == .progress ? "progress to" : event.kind.rawValue
            text =
                "\(name) \(event.completed)\(total)" + Self.text(event.error)
                + Self.text(event.metadata)
            if !event.kind.isTerminal {
                passing = (event.completed, event.total, name + total)
            }
        case .completion(let completion, let task):
            stream = .task(task)
            progress = nil
            let content = completion.content == nil ? "" : " with content"
            text =
                "completion" + content + Self.text(completion.error)
                + Self.text(completion.metadata)
        case .question(_, let question):
            stream = .questions
            progress = nil
            text =
                (question.instance.map { "\($0) asks" } ?? "asks")
                + (question.refreshes ? ", the token was refused" : "")
        }
    }

    /// What is compared. Where a pause takes effect, and so all that is told before the end, is a matter
    /// of speed: there only how the bytes stand to those before counts.
    ///
    /// - Parameter before: in the same stream.
    func compared(after before: ReportSummary?) -> String {
        guard let passing else { return text }
        if passing.bytes == 0 || passing.bytes == passing.total { return text }
        let last = before?.passing?.bytes ?? 0
        let relation =
            passing.bytes == last ? "as before" : passing.bytes > last ? "more" : "fewer"
        return "\(passing.text) \(relation)"
    }

    private static func text(_ reply: ClientReply) -> String {
        switch reply {
        case .error(let error): "error" + text(error)
        case .unsupported: "unsupported"
        case .hindered(let problem): problem
        case .lost: "lost"
        case .result(.done): "done"
        case .result(.metadata(let fields)): "metadata" + text(fields)
        case .result(.list(let page)):
            "\(page.items.joined(separator: ", ")); \(page.prefixes.joined(separator: ", "))"
                + (page.nextPageToken == nil ? "" : "; more")
        case .result(.url(let url)): "url \(path(ofURL: url))"
        case .result(.image(let image)):
            "\(image.states.joined(separator: ", ")) from \(image.origin)"
        case .result(.fetched(let answer)): "fetched \(answer.status)"
        case .result(.reference(let place)): "\(place.bucket) \(place.path)"
        case .result(.snapshot(let snapshot)):
            "\(snapshot.status?.rawValue ?? "nothing") \(snapshot.completed)" + text(snapshot.error)
        case .result(.several(let replies)): replies.map(text).joined(separator: "; ")
        }
    }

    private static func text(_ error: ClientError?) -> String {
        guard let error else { return "" }
        let status = error.status.map { " \($0)" } ?? ""
        return " (\(error.code.rawValue), \(error.name)\(status))"
    }

    private static let volatile: Set<String> = [
        "generation", "timeCreated", "updated", "etag", "downloadTokens", "selfLink", "mediaLink",
        "id", "timeStorageClassUpdated", "timeFinalized",
    ]

    private static func text(_ metadata: [String: String]?) -> String {
        guard let metadata else { return "" }
        let fields = metadata.filter { !volatile.contains($0.key) }.sorted { $0.key < $1.key }
        return " {" + fields.map { "\($0.key)=\($0.value)" }.joined(separator: ", ") + "}"
    }

    /// Without host, port and token.
    private static func path(ofURL url: String) -> String {
        let rest = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return String((rest.count == 4 ? rest[3] : url[...]).prefix { $0 != "?" })
    }
}

/// Reports in their order, each row of `progress` as its last.
struct ReportLog: Sendable {
    private(set) var streams: [ReportSummary.Stream: [ReportSummary]] = [:]

    mutating func add(_ summary: ReportSummary) {
        var rows = streams[summary.stream] ?? []
        if summary.progress != nil, rows.last?.progress != nil { rows.removeLast() }
        rows.append(summary)
        streams[summary.stream] = rows
    }

    /// Whether at least so much was reported as in another.
    func reaches(_ other: ReportLog) -> Bool {
        other.streams.allSatisfy { stream, wanted in
            let rows = streams[stream] ?? []
            guard rows.count == wanted.count else { return rows.count > wanted.count }
            guard let bytes = wanted.last?.progress, let seen = rows.last?.progress else {
                return true
            }
            return seen >= bytes
        }
    }
}
