import EventMatching
import StorageModel

/// Which exchanges of the journal are asked for; everything that is given must hold.
struct JournalFilter: Hashable {
    static let keys = ["operation", "path", "bucket", "status", "since", "fault", "complaints"]

    var operation: OperationPattern?
    /// On the object's path, unescaped.
    var path: Glob?
    var bucket: String?
    var status: StatusTest?
    /// Only later ones: with a larger ordinal.
    var since: Int?
    /// The name or the position of a fault that fired on it.
    var fault: String?
    /// Only those with complaints.
    var hasComplaints = false

    /// Why a query is none.
    struct Mistake: Error, Hashable {
        let key: String
        let message: String
        var suggestion: String?
    }

    init() {}

    /// Reads the keys of a query; others are left alone.
    init(_ query: [RequestTarget.Item]) throws(Mistake) {
        for item in query { try take(item.name, item.value ?? "") }
    }

    private mutating func take(_ key: String, _ value: String) throws(Mistake) {
        switch key {
        case "operation":
            guard let pattern = OperationPattern(value) else {
                throw Mistake(
                    key: key, message: "there is no operation '\(value)'",
                    suggestion: Spelling.nearest(to: value, among: OperationPattern.allNames))
            }
            operation = pattern
        case "path": path = Glob(value)
        case "bucket": bucket = value
        case "status":
            guard let test = StatusTest(value) else {
                throw Mistake(
                    key: key, message: "'\(value)' is no status: 404, 200..299, >=500 or none")
            }
            status = test
        case "since":
            guard let number = Int(value), number >= 0 else {
                throw Mistake(key: key, message: "'\(value)' is no ordinal from 0 on")
            }
            since = number
        case "fault": fault = value
        case "complaints": hasComplaints = true
        default: break
        }
    }

    func holds(_ record: ExchangeRecord) -> Bool {
        if let operation, !operation.matches(record.operation) { return false }
        if let path, !(record.path.map(path.matches) ?? false) { return false }
        if let bucket, record.bucket != bucket { return false }
        if let status, !status.holds(record.status) { return false }
        if let since, record.ordinal <= since { return false }
        if let fault, !record.faults.contains(where: { $0.name == fault || "\($0.rule)" == fault })
        {
            return false
        }
        return !hasComplaints || !record.complaints.isEmpty
    }
}
