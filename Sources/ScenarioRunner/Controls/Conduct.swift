import EventMatching
import RunModel
import StorageModel

/// What a client told and asked for in a run, without what chance decides: how many progress events
/// there were, their bytes, and every time.
struct Conduct: Hashable {
    private struct Task: Hashable {
        let name: String
        /// Kinds and codes; neighbouring progress events count as one.
        let events: [String]
        let completions: [String]
    }

    private struct Lane: Hashable {
        let bucket: String?
        let path: String?
        let isUpload: Bool
    }

    private struct Request: Hashable {
        let operation: StorageModel.Operation
        let offset: Int64?
        let length: Int64?
    }

    private let tasks: [Task]
    private let requests: [Lane: [Request]]

    init(_ result: ScenarioResult) {
        tasks = result.tasks.map { task in
            Task(
                name: task.name, events: Self.shape(of: task.events),
                completions: task.completions.map { Self.text($0.error) })
        }.sorted { $0.name < $1.name }
        let log = RequestsExpectation.log(of: result.exchanges)
        requests = Dictionary(grouping: log) { exchange in
            Lane(
                bucket: exchange.bucket, path: exchange.path,
                isUpload: exchange.operation.isUpload)
        }.mapValues { lane in
            lane.map {
                Request(operation: $0.operation, offset: $0.offset, length: $0.length)
            }
        }
    }

    func tellsTheSame(as other: Self) -> Bool { tasks == other.tasks }

    private static func shape(of events: [TransferEvent]) -> [String] {
        var shape: [String] = []
        for event in events {
            let text =
                event.kind == .failure
                ? "failure(\(text(event.error)))" : event.kind.rawValue
            if event.kind == .progress, shape.last == text { continue }
            shape.append(text)
        }
        return shape
    }

    private static func text(_ error: ClientError?) -> String { error?.code.rawValue ?? "none" }
}
