internal import Checksums
internal import EventMatching
internal import StorageModel

/// The fingerprint of what happened in a run: equal for equal runs, whatever their order and speed.
///
/// It covers, for every scenario, each event with its bytes, each exchange with its offset, lengths
/// and status, and each fired fault. Times and the order between transfers are left out.
struct RunDigest {
    private var hash = SHA256()

    /// - Parameter results: in any order.
    static func text(of results: [ScenarioResult]) -> String {
        var digest = RunDigest()
        for result in results.sorted(by: { $0.id < $1.id }) {
            digest.add("scenario", result.id)
            digest.addTasks(result.tasks)
            digest.addExchanges(result.exchanges)
        }
        return Hexadecimal.encode(digest.hash.digest)
    }

    /// One record; every field has its length before it, so that no two lists look alike.
    private mutating func add(_ kind: String, _ fields: String...) {
        var bytes: [UInt8] = []
        for field in [kind, String(fields.count)] + fields {
            bytes += Array("\(field.utf8.count):".utf8)
            bytes += Array(field.utf8)
        }
        hash.update(bytes)
    }

    private mutating func addTasks(_ tasks: [TaskRecord]) {
        for task in tasks.sorted(by: { $0.name < $1.name }) {
            add("task", task.name)
            for event in task.events {
                add(
                    "event", event.kind.rawValue, String(event.completed),
                    Self.text(event.total), event.error?.code.rawValue ?? "none")
            }
            for completion in task.completions {
                add("completion", completion.error?.code.rawValue ?? "none")
            }
        }
    }

    /// Exchanges lane by lane: a lane is one object in one direction, or an operation without one.
    private mutating func addExchanges(_ exchanges: [ExchangeRecord]) {
        let lanes = Dictionary(grouping: exchanges) { exchange -> [String] in
            let kind =
                exchange.operation.isUpload
                ? "upload" : exchange.operation.isDownload ? "download" : "other"
            return [exchange.bucket ?? "", exchange.path ?? "", kind]
        }
        for (name, lane) in lanes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            add("lane", name[0], name[1], name[2])
            for exchange in lane.sorted(by: { $0.ordinal < $1.ordinal }) { addExchange(exchange) }
        }
    }

    private mutating func addExchange(_ exchange: ExchangeRecord) {
        add(
            "exchange", exchange.operation.rawValue, Self.text(exchange.offset),
            Self.text(exchange.length), Self.text(exchange.status.map(Int64.init)))
        for fault in exchange.faults { add("fault", String(fault.rule), fault.name) }
        for complaint in exchange.complaints { add("complaint", complaint.name) }
    }

    private static func text(_ number: Int64?) -> String { number.map(String.init) ?? "none" }
}

extension RunReport {
    /// Over what happened in all scenarios, as 64 lowercase hexadecimal digits.
    package var digest: String { RunDigest.text(of: results) }
}

extension ScenarioResult {
    /// Over what happened in this scenario: for a comparison of single scenarios.
    package var digest: String { RunDigest.text(of: [self]) }
}
