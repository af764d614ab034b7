import FaultEngine
import StorageModel

@testable import EventMatching

/// Short forms in which the tables write events: `resume`, `progress:100`, `failure:cancelled`.
enum Samples {
    /// Each event a second after the one before; the total is 1000.
    static func events(_ texts: String...) -> [TransferEvent] { events(texts) }

    static func events(_ texts: [String]) -> [TransferEvent] {
        texts.enumerated().map { index, text in
            let parts = text.split(separator: ":").map(String.init)
            var event = TransferEvent(
                kind: TransferEvent.Kind(rawValue: parts[0]) ?? .resume, total: 1000,
                time: .seconds(index))
            if event.kind == .failure {
                event.error = ClientError(
                    code: parts.count > 1 ? ErrorCode(rawValue: parts[1]) ?? .other : .unknown)
            } else if parts.count > 1 {
                event.completed = Int64(parts[1]) ?? -1
            }
            return event
        }
    }

    /// Requests in the form `upload.chunk offset=0 length=100 status=200`.
    static func log(_ texts: String...) -> [ExchangeRecord] { log(texts) }

    static func log(_ texts: [String]) -> [ExchangeRecord] {
        texts.enumerated().map { index, text in
            let words = text.split(separator: " ").map(String.init)
            var record = ExchangeRecord(
                ordinal: index + 1, connection: 1,
                operation: Operation(rawValue: words[0]) ?? .unknown, method: "POST",
                target: "/v0", start: .seconds(index))
            record.end = record.start + .milliseconds(500)
            record.status = 200
            record.path = "a.bin"
            record.bucket = "demo"
            record.transfer = 1
            for word in words.dropFirst() { set(&record, word) }
            return record
        }
    }

    private static func set(_ record: inout ExchangeRecord, _ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let number = Int64(parts[1])
        switch parts[0] {
        case "offset": record.offset = number
        case "length": record.length = number
        case "status": record.status = number.map(Int.init)
        case "path": record.path = parts[1]
        case "received": record.received = number ?? 0
        case "sent": record.sent = number ?? 0
        case "connection": record.connection = Int(number ?? 0)
        case "transfer": record.transfer = number.map(Int.init)
        case "start": record.start = .milliseconds(number ?? 0)
        case "end": record.end = number.map { .milliseconds($0) }
        case "reported": record.reported = number
        default: record.requestHeaders.add(parts[0], parts[1])
        }
    }

    static func task(_ texts: String...) -> TaskRecord { task(list: texts) }

    static func task(list texts: [String]) -> TaskRecord {
        var task = TaskRecord(name: "up", isUpload: true, bucket: "demo", path: "a.bin")
        task.events = events(texts)
        if let end = task.events.first(where: \.kind.isTerminal) {
            task.completions = [.init(error: end.error, time: end.time)]
        }
        return task
    }

    static var never: MomentLookup { MomentLookup { _ in nil } }
}
