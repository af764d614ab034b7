package import ClientDriver
package import StorageModel

/// One thing that a client does wrong; in everything else it is the client behind it.
package struct Mistake: Sendable {
    /// What a client tells about a transfer.
    package indirect enum Report: Sendable {
        case event(TransferEvent, task: String)
        case completion(TaskCompletion, task: String)
        /// A local file that appears.
        case file(path: String, [UInt8])
        /// Told after a while.
        case later(Duration, Report)

        package var event: TransferEvent? {
            guard case .event(let event, _) = self else { return nil }
            return event
        }

        package var isCompletion: Bool {
            guard case .completion = self else { return false }
            return true
        }
    }

    /// What a client was told to do and what it reported itself, the oldest first.
    package struct History: Sendable {
        package var commands: [ClientCommand] = []
        package var reports: [Report] = []

        /// - Parameter task: nil: of all tasks.
        package func count(_ kind: TransferEvent.Kind, of task: String? = nil) -> Int {
            reports.count { report in
                guard case .event(let event, let name) = report else { return false }
                return event.kind == kind && task ?? name == name
            }
        }

        /// None or one.
        package var lastProgress: [Report] {
            Array(reports.filter { $0.event?.kind == .progress }.suffix(1))
        }

        /// Where the download goes that was begun last.
        package var destination: String? {
            for case .download(let download) in commands.reversed().map(\.verb) {
                if case .file(let path) = download.target { return path }
            }
            return nil
        }
    }

    package enum Obedience: Sendable {
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
    package typealias Telling = @Sendable (_ report: Report, _ before: History) -> [Report]

    package let telling: Telling
    package let hearing: @Sendable (ClientCommand) -> Obedience
    package let settings: @Sendable (inout ClientSettings) -> Void

    package init(
        telling: @escaping Telling = { report, _ in [report] },
        hearing: @escaping @Sendable (ClientCommand) -> Obedience = { .obeys($0) },
        settings: @escaping @Sendable (inout ClientSettings) -> Void = { _ in }
    ) {
        self.telling = telling
        self.hearing = hearing
        self.settings = settings
    }
}

extension TransferEvent {
    package func with(_ change: (inout TransferEvent) -> Void) -> TransferEvent {
        var event = self
        change(&event)
        return event
    }
}
