import EventMatching
import FaultEngine
import RunModel
import Scenario
import StorageModel

/// The exchanges that one test of `exchanges` is about, and the lies about them.
///
/// Only of tests that name their exchanges by operation, status, path and method: what a lie does to
/// ordinals and moments is not for a small rule.
struct ExchangesLies {
    private let test: ExchangesTest
    private let meant: [ExchangeRecord]
    /// Greater than every other.
    private let nextOrdinal: Int

    /// Nil for a test of another kind.
    init?(_ test: ExchangesTest, _ evidence: RunEvidence) {
        let selector = test.selector
        var others = selector.filters
        (others.path, others.method) = (nil, nil)
        guard selector.ordinal == .all, others.isEmpty, test.after == nil, test.before == nil,
            !selector.operation.matches(.connect)
        else { return nil }
        self.test = test
        meant = evidence.exchanges.filter { exchange in
            selector.operation.matches(exchange.operation)
                && test.whereStatus?.holds(exchange.status) ?? true
                && selector.filters.path.map { exchange.path.map($0.matches) ?? false } ?? true
                && selector.filters.method.map { $0 == exchange.method } ?? true
        }
        nextOrdinal = (evidence.exchanges.map(\.ordinal).max() ?? 0) + 1
    }

    // MARK: Lies about how many there are

    func missing(_ draw: inout Draw) -> [Falsification] {
        guard let count = test.count, !count.holds(Int64(meant.count - 1)),
            let gone = draw.pick(meant)
        else { return [] }
        return [
            lie(.requestMissing, "\(text(gone)) was left out") { exchanges in
                exchanges.removeAll { $0.ordinal == gone.ordinal }
            }
        ]
    }

    func doubled(_ draw: inout Draw) -> [Falsification] {
        guard let count = test.count, !count.holds(Int64(meant.count + 1)),
            let again = draw.pick(meant)
        else { return [] }
        return [
            lie(.requestDoubled, "\(text(again)) was logged once more at the end") {
                [nextOrdinal] in
                var copy = again
                copy.ordinal = nextOrdinal
                $0.append(copy)
            }
        ]
    }

    // MARK: Lies about one of them

    func changed(_ draw: inout Draw) -> [Falsification] {
        (singleChanges(&draw) + sumChanges(&draw)).map { change in
            lie(.requestChanged, "\(change.what) of \(text(change.told)) was changed") { log in
                for index in log.indices where log[index].ordinal == change.told.ordinal {
                    log[index] = change.told
                }
            }
        }
    }

    private struct Change {
        let what: String
        let told: ExchangeRecord
    }

    /// Of a value that each of them has to have.
    private func singleChanges(_ draw: inout Draw) -> [Change] {
        guard test.quantifier == .all || meant.count == 1, let exchange = draw.pick(meant) else {
            return []
        }
        var changes: [Change] = []
        func change(_ what: String, _ apply: (inout ExchangeRecord) -> Void) {
            var told = exchange
            apply(&told)
            changes.append(Change(what: what, told: told))
        }
        for (name, test) in test.headers.sorted(by: { $0.key < $1.key }) {
            change("the header \(name)") { $0.requestHeaders[name] = test.refused }
        }
        for (name, test) in test.json.sorted(by: { $0.key < $1.key }) {
            change("the member \(name)") { $0.json[name] = test.refused }
        }
        if let status = test.status,
            let wrong = [599, 418, 200].first(where: { !status.holds($0) })
        {
            change("the status") { $0.status = wrong }
        }
        if let wrong = test.offset?.refused(near: exchange.firstByte ?? 0) {
            change("the offset") { $0.offset = wrong }
        }
        if let wrong = test.length?.refused(near: exchange.bodyLength) {
            change("the length") { $0.length = wrong }
        }
        if let wrong = test.declared?.refused(near: exchange.declaredSize ?? 0) {
            change("the announced size") { $0.declaredSize = wrong }
        }
        return changes
    }

    /// Of the bytes that all of them together have.
    private func sumChanges(_ draw: inout Draw) -> [Change] {
        guard let exchange = draw.pick(meant) else { return [] }
        var changes: [Change] = []
        let uploaded = meant.reduce(0) { $0 + $1.received }
        if let wrong = test.uploaded?.refused(near: uploaded) {
            var told = exchange
            told.received += wrong - uploaded
            changes.append(Change(what: "the number of bytes received", told: told))
        }
        let downloaded = meant.reduce(0) { $0 + $1.sent }
        if let wrong = test.downloaded?.refused(near: downloaded) {
            var told = exchange
            told.sent += wrong - downloaded
            changes.append(Change(what: "the number of bytes sent", told: told))
        }
        return changes
    }

    /// A gap between two of them that is too long, or none at all.
    func moved(_ draw: inout Draw) -> [Falsification] {
        guard let gap = test.gap, meant.count > 1, let shift = gap.refusedShift else { return [] }
        let ordered = meant.sorted { ($0.ordinal, $0.start) < ($1.ordinal, $1.start) }
        guard let place = draw.pick(Array(ordered.indices.dropFirst())) else { return [] }
        let late = ordered[place]
        return [
            lie(.timeChanged, "\(text(late)) was moved by \(shift > .zero ? "years" : "-years")") {
                for index in $0.indices where $0[index].ordinal == late.ordinal {
                    $0[index].start += shift
                    $0[index].end = $0[index].end.map { $0 + shift }
                }
            }
        ]
    }

    // MARK: Parts

    private func text(_ exchange: ExchangeRecord) -> String {
        "request \(exchange.ordinal) (\(exchange.operation.rawValue))"
    }

    private func lie(
        _ kind: Control.Kind, _ what: String, _ apply: @escaping (inout [ExchangeRecord]) -> Void
    ) -> Falsification {
        Falsification(kind, what, noticer: .expectation(.exchanges, subject: nil)) {
            apply(&$0.exchanges)
        }
    }
}

extension Falsifier {
    var exchangesLies: [ExchangesLies] {
        expect.exchanges.compactMap { ExchangesLies($0.value, evidence) }
    }
}
