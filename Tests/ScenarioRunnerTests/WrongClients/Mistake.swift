import ClientDriver
import StorageModel

/// One thing that a client does wrong; in everything else it is the client behind it.
struct Mistake: Sendable {
    /// What a client tells about a transfer.
    indirect enum Report: Sendable {
        case event(TransferEvent, task: String)
        case completion(TaskCompletion, task: String)
        /// A local file that appears.
        case file(path: String, [UInt8])
        /// Told after a while.
        case later(Duration, Report)

        var event: TransferEvent? {
            guard case .event(let event, _) = self else { return nil }
            return event
        }

        var isCompletion: Bool {
            guard case .completion = self else { return false }
            return true
        }
    }

    /// What a client was told to do and what it reported itself, the oldest first.
    struct History: Sendable {
        var commands: [ClientCommand] = []
        var reports: [Report] = []

        /// - Parameter task: nil: of all tasks.
        func count(_ kind: TransferEvent.Kind, of task: String? = nil) -> Int {
            reports.count { report in
                guard case .event(let event, let name) = report else { return false }
                return event.kind == kind && task ?? name == name
            }
        }

        /// None or one.
        var lastProgress: [Report] {
            Array(reports.filter { $0.event?.kind == .progress }.suffix(1))
        }

        /// Where the download goes that was begun last.
        var destination: String? {
            for case .download(let download) in commands.reversed().map(\.verb) {
                if case .file(let path) = download.target { return path }
            }
            return nil
        }
    }

    enum Obedience: Sendable {
        case obeys(ClientCommand)
        /// Says that it did it.
        case ignores
        /// Never answers.
        case hangs
        case answers(ClientReply)
        /// Its process is gone.
        case dies
        /// Does nothing and tells a tale.
        case invents([Report])
    }

    /// What is told instead of a report of the task's recorder or completion.
    ///
    /// - Parameters:
    ///   - report: as the client gave it.
    ///   - before: what was before it.
    typealias Telling = @Sendable (_ report: Report, _ before: History) -> [Report]

    var telling: Telling = { report, _ in [report] }
    var hearing: @Sendable (ClientCommand) -> Obedience = { .obeys($0) }
    var settings: @Sendable (inout ClientSettings) -> Void = { _ in }
    var onTheWire: WireMistake?
}

extension TransferEvent {
    func with(_ change: (inout TransferEvent) -> Void) -> TransferEvent {
        var event = self
        change(&event)
        return event
    }
}
