import StorageModel

/// What a client does after a fault, until it is clear how it went on.
struct FaultAftermath: Sendable {
    private let fault: FiredFault
    private let ordinal: Int
    private let connection: Int
    private let operation: Operation
    private let bucket: String?
    private let path: String?
    /// When the faulted exchange was over; nil: it is not.
    private(set) var start: Duration?
    /// After less silence than this nobody is told to have given up.
    private static let shortest = Duration.seconds(5)
    /// Object bytes up to which the client had sent, or been sent.
    private var reached: Int64 = 0
    private var status: Int?
    private var waited: Duration?
    private var steps: [String] = []
    private var isAnew = false

    init(_ fault: FiredFault, on record: ExchangeRecord) {
        self.fault = fault
        ordinal = record.ordinal
        connection = record.connection
        operation = record.operation
        bucket = record.bucket
        path = record.path
    }

    func isOf(_ record: ExchangeRecord) -> Bool {
        start == nil && record.ordinal == ordinal && record.connection == connection
    }

    /// The faulted exchange is over; a line where nothing more is to be waited for.
    mutating func ended(_ record: ExchangeRecord) -> String? {
        guard record.ending != .open else { return nil }
        start = record.end ?? fault.time
        status = record.status
        let bytes = record.operation.carriesObjectBytes ? record.received : record.sent
        reached = (record.offset ?? 0) + bytes
        guard record.ending == .complete, let status = record.status, status < 400,
            operation != .connect
        else { return nil }
        let time = (record.end ?? record.start) - record.start
        return line("the client stayed and got \(status) after \(time.scenarioText)")
    }

    /// True when the request goes on with what the fault has struck.
    func isFollowed(by record: ExchangeRecord) -> Bool {
        // A silent exchange may never be over: its client comes again on another connection.
        guard start != nil || record.connection != connection else { return false }
        guard record.ordinal != ordinal || operation == .connect else { return false }
        if operation == .connect { return true }
        guard record.bucket == bucket, record.path == path else { return false }
        if operation.isUpload { return record.operation.isUpload }
        if operation.isDownload { return record.operation.isDownload }
        return record.operation == operation
    }

    /// Takes the request in; true when it is clear now how the client went on.
    mutating func note(_ record: ExchangeRecord) -> Bool {
        if waited == nil { waited = record.start - (start ?? fault.time) }
        var step = record.operation.rawValue
        if record.operation == .uploadStart { isAnew = true }
        let place = record.operation.isDownload ? record.offset ?? 0 : record.offset
        let movesBytes = record.operation.carriesObjectBytes || record.operation.isDownload
        if movesBytes, let place {
            step += " from \(place.sizeText)"
            step += repeated(from: place, record)
        }
        if steps.count < 6 { steps.append(step) }
        switch record.operation {
        case .uploadStart, .uploadQuery: return false
        default: return true
        }
    }

    var text: String {
        let wait = waited.map { "the client waited \($0.scenarioText), then " } ?? ""
        return line(wait + steps.joined(separator: ", then "))
    }

    /// - Parameter isStopping: the server stops, perhaps before the client would have come again.
    func givenUp(after time: Duration, isStopping: Bool = false) -> String {
        guard start != nil else { return line("the exchange was not over when the server stopped") }
        guard steps.isEmpty else { return text + ", and nothing more" }
        if isStopping, time < Self.shortest {
            return line(
                "no further request in the \(time.scenarioText) until the server stopped")
        }
        let cause = status.map { " with \($0)" } ?? ""
        return line("the client gave up\(cause): no further request in \(time.scenarioText)")
    }

    private func repeated(from place: Int64, _ record: ExchangeRecord) -> String {
        let twice = max(0, reached - place)
        let word = record.operation.isDownload ? "fetched" : "sent"
        let anew = isAnew ? "a new upload, " : ""
        return " (\(anew)\(twice == 0 ? "nothing" : twice.bytesText) \(word) twice)"
    }

    private func line(_ text: String) -> String { "            after `\(fault.name)`: \(text)" }
}
