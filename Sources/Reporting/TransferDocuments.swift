internal import EventMatching
internal import StorageModel

/// A task of the JSON report, with all its events.
struct TaskDocument: Encodable {
    struct Completion: Encodable {
        let milliseconds: Int64
        let error: ErrorDocument?
    }

    let name: String
    let direction: String
    let bucket: String
    let path: String
    let startMilliseconds: Int64
    let events: [EventDocument]
    let completions: [Completion]

    init(_ task: TaskRecord) {
        name = task.name
        direction = task.isUpload ? "upload" : "download"
        bucket = task.bucket
        path = task.path
        startMilliseconds = task.start.milliseconds
        events = task.events.map(EventDocument.init)
        completions = task.completions.map {
            Completion(milliseconds: $0.time.milliseconds, error: ErrorDocument($0.error))
        }
    }
}

struct EventDocument: Encodable {
    let event: String
    let milliseconds: Int64
    let completed: Int64
    let total: Int64?
    let error: ErrorDocument?

    init(_ event: TransferEvent) {
        self.event = event.kind.rawValue
        milliseconds = event.time.milliseconds
        completed = event.completed
        total = event.total
        error = ErrorDocument(event.error)
    }
}

struct ErrorDocument: Encodable {
    let code: String
    let name: String
    let message: String
    let status: Int?
    let transport: String?

    init?(_ error: ClientError?) {
        guard let error else { return nil }
        code = error.code.rawValue
        name = error.name
        message = error.message
        status = error.status
        transport = error.transport?.rawValue
    }
}

/// An exchange of the JSON report: a line of the server's journal.
struct ExchangeDocument: Encodable {
    struct Fault: Encodable {
        let rule: Int
        let name: String
        let milliseconds: Int64
        let draw: Double?
        let chance: Double?
        let delayMilliseconds: [Int64]?
    }

    struct Complaint: Encodable {
        let name: String
        let sentence: String
    }

    let ordinal: Int
    let connection: Int
    let reused: Bool
    let operation: String
    let method: String
    let target: String
    let bucket: String?
    let path: String?
    let session: Int?
    let offset: Int64?
    let length: Int64?
    let received: Int64
    let committed: Int64
    let sent: Int64
    let status: Int?
    let startMilliseconds: Int64
    let endMilliseconds: Int64?
    let ending: String
    let faults: [Fault]
    let complaints: [Complaint]
    let resendOf: Int?

    init(_ exchange: ExchangeRecord) {
        ordinal = exchange.ordinal
        connection = exchange.connection
        reused = exchange.isReused
        operation = exchange.operation.rawValue
        method = exchange.method
        target = exchange.target
        bucket = exchange.bucket
        path = exchange.path
        session = exchange.session
        offset = exchange.offset
        length = exchange.length
        received = exchange.received
        committed = exchange.committed
        sent = exchange.sent
        status = exchange.status
        startMilliseconds = exchange.start.milliseconds
        endMilliseconds = exchange.end?.milliseconds
        ending = exchange.ending.rawValue
        faults = exchange.faults.map {
            Fault(
                rule: $0.rule, name: $0.name, milliseconds: $0.time.milliseconds, draw: $0.draw,
                chance: $0.chance,
                delayMilliseconds: $0.delays.isEmpty ? nil : $0.delays.map(\.milliseconds))
        }
        complaints = exchange.complaints.map { Complaint(name: $0.name, sentence: $0.sentence) }
        resendOf = exchange.resendOf
    }
}
