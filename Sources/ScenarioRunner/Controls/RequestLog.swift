import EventMatching
import RunModel
import Scenario
import StorageModel

/// The part of the server's log that one list of `requests` is about, and the lies about it.
struct RequestLog {
    private let part: RequestsExpectation.Part
    private let log: [ExchangeRecord]
    private let coarse: CoarsePattern<StorageModel.Operation>
    /// Greater than every other.
    private let nextOrdinal: Int
    private let end: Duration

    /// Nil for a part between two moments: what a lie does to it is not for a small rule.
    init?(_ part: RequestsExpectation.Part, _ evidence: RunEvidence) {
        guard part.after == nil, part.before == nil else { return nil }
        self.part = part
        log = RequestsExpectation.log(
            of: evidence.exchanges, countsResends: evidence.countsResends
        ).filter { exchange in
            (part.path == nil || exchange.path == part.path)
                && (part.bucket == nil || exchange.bucket == part.bucket)
        }
        coarse = CoarsePattern(part.pattern) { condition in
            Set(Operation.allCases.filter(condition.operation.matches))
        }
        nextOrdinal = (evidence.exchanges.map(\.ordinal).max() ?? 0) + 1
        end = evidence.end
    }

    func missing(_ draw: inout Draw) -> [Falsification] {
        draw.shuffled(Array(log.indices)).prefix(100).compactMap { index in
            var told = log.map(\.operation)
            told.remove(at: index)
            guard coarse.excludes(told) else { return nil }
            let ordinal = log[index].ordinal
            let what = "request \(ordinal) (\(log[index].operation.rawValue)) was left out"
            return Falsification(.requestMissing, what, noticer: noticer) { evidence in
                evidence.exchanges.removeAll { $0.ordinal == ordinal }
            }
        }
    }

    func added(_: inout Draw) -> [Falsification] {
        Operation.allCases.filter { operation in
            operation != .connect && operation != .preflight
                && coarse.excludes(log.map(\.operation) + [operation])
        }.map { operation in
            var extra = ExchangeRecord(
                ordinal: nextOrdinal, connection: 1, operation: operation, method: "GET",
                target: "/", start: end)
            extra.path = part.path
            extra.bucket = part.bucket
            let what = "a request (\(operation.rawValue)) was added at the end"
            return Falsification(.requestAdded, what, noticer: noticer) {
                $0.exchanges.append(extra)
            }
        }
    }

    /// The same request twice, one behind the other.
    func doubled(_ draw: inout Draw) -> [Falsification] {
        draw.shuffled(Array(log.indices)).prefix(100).compactMap { index in
            var told = log.map(\.operation)
            told.insert(told[index], at: index)
            guard coarse.excludes(told) else { return nil }
            let again = log[index]
            let what = "request \(again.ordinal) (\(again.operation.rawValue)) was logged twice"
            return Falsification(.requestDoubled, what, noticer: noticer) { evidence in
                for index in evidence.exchanges.indices
                where evidence.exchanges[index].ordinal > again.ordinal {
                    evidence.exchanges[index].ordinal += 1
                }
                var copy = again
                copy.ordinal += 1
                evidence.exchanges.append(copy)
            }
        }
    }

    /// Another status, or another offset, than every part of the pattern takes.
    func changed(_ draw: inout Draw) -> [Falsification] {
        let atoms = part.pattern.flatMap(\.atoms)
        return draw.shuffled(Array(log.indices)).prefix(100).flatMap { index -> [Falsification] in
            var (status, offset) = (log[index], log[index])
            status.status = status.status == 599 ? 200 : 599
            offset.offset = (offset.offset ?? 0) + 1
            return [("status", status), ("offset", offset)].compactMap { what, told in
                guard !atoms.contains(where: { $0.accepts(told) }) else { return nil }
                let text =
                    "the \(what) of request \(told.ordinal) (\(told.operation.rawValue)) was changed"
                return Falsification(.requestChanged, text, noticer: noticer) { evidence in
                    for index in evidence.exchanges.indices
                    where evidence.exchanges[index].ordinal == told.ordinal {
                        evidence.exchanges[index] = told
                    }
                }
            }
        }
    }

    private var noticer: Noticer { .expectation(.requests, subject: part.path) }
}

extension Falsifier {
    var requestLogs: [RequestLog] {
        (expect.requests ?? []).compactMap { RequestLog($0.value, evidence) }
    }
}
