import ClientDriver
import EventMatching
import FaultEngine
import RunModel
import Scenario
import StorageModel

// Lies about metadata, results of steps, numbers and times.
extension Falsifier {
    /// Other metadata than that of the success.
    func metadataChanged(_ task: TaskRecord, _: inout Draw) -> [Falsification] {
        guard let test = expectation(of: task)?.metadata?.value else { return [] }
        return test.refused(evidence.book.metadata[task.name]).map { change in
            Falsification(
                .metadataChanged,
                "the metadata of \(task.name) was told with another "
                    + change.what, noticer: .expectation(.metadata, subject: task.name)
            ) { $0.book.replaceMetadata(of: task.name, by: change.fields) }
        }
    }

    // MARK: Results of steps

    /// Results that came, with what is expected of them.
    var results: [(RunBook.Result, ResultExpectation)] {
        expect.results.flatMap { expected in
            evidence.names(expected.name).compactMap(evidence.book.result).map { ($0, expected) }
        }
    }

    /// Nothing where there was something, or another value.
    func resultChanged(
        _ subject: (RunBook.Result, ResultExpectation), _: inout Draw
    ) -> [Falsification] {
        let (result, expected) = subject
        guard case .result(let seen)? = result.reply else { return [] }
        var lies: [Falsification] = []
        func tell(_ what: String, _ told: ClientResult) {
            lies.append(
                Falsification(
                    .resultChanged, what, noticer: .expectation(.result, subject: result.name)
                ) { evidence in
                    var result = result
                    result.reply = .result(told)
                    evidence.book.replace(result)
                })
        }
        if expected.values.contains(where: \.test.refusesNothing) {
            tell("what \(result.name) gave was left out", .done)
        }
        for value in expected.values {
            for change in Self.changes(of: seen, value) {
                tell("\(change.what) of \(result.name) was changed", change.told)
            }
        }
        return lies
    }

    private static func changes(
        of seen: ClientResult, _ value: ResultValueExpectation
    ) -> [(what: String, told: ClientResult)] {
        switch (seen, value.test) {
        case (.metadata(let fields), .metadata(let test)):
            return test.refused(fields).map { ($0.what, .metadata($0.fields ?? [:])) }
        case (.metadata(var fields), .text(let test)):
            let key = fields["metadata.\(value.key)"] == nil ? value.key : "metadata.\(value.key)"
            fields[key] = test.refused
            return [("'\(key)'", .metadata(fields))]
        case (.list(var page), .list(let wanted)):
            switch value.key {
            case "items": page.items = wanted + ["there"]
            case "prefixes": page.prefixes = wanted + ["there"]
            default: return []
            }
            return [("'\(value.key)'", .list(page))]
        default: return []
        }
    }

    // MARK: Numbers

    /// Another number of sessions, questions for a token or connections.
    func numberChanged(_: inout Draw) -> [Falsification] {
        var lies: [Falsification] = []
        func tell(
            _ kind: Failure.Kind, _ what: String, _ seen: Int?, _ test: NumberTest?,
            _ apply: @escaping (inout RunEvidence, Int) -> Void
        ) {
            guard let seen, let wrong = test?.refused(near: Int64(seen)) else { return }
            lies.append(
                Falsification(
                    .numberChanged, "the number of \(what) was told as \(wrong)",
                    noticer: .expectation(kind, subject: nil)
                ) { apply(&$0, Int(wrong)) })
        }
        let sessions = expect.sessions
        tell(.sessions, "open upload sessions", evidence.sessionsOpen, sessions?.open) {
            $0.sessionsOpen = $1
        }
        tell(.sessions, "upload sessions started", evidence.sessionsStarted, sessions?.started) {
            $0.sessionsStarted = $1
        }
        tell(.sessions, "upload sessions with bytes", evidence.sessionsFed, sessions?.fed) {
            $0.sessionsFed = $1
        }
        let asked = evidence.book.tokensAsked
        tell(.tokens, "questions for a token", asked, expect.tokensAsked?.value) {
            $0.book.replaceTokensAsked(by: $1)
        }
        let connections = expect.resources?.connections
        tell(.resources, "open connections", evidence.connections, connections) {
            $0.connections = $1
        }
        return lies
    }

    // MARK: Times

    /// The event that a time is expected of, years too late or years too early.
    func timeChanged(_ task: TaskRecord, _: inout Draw) -> [Falsification] {
        let times = expectation(of: task)?.times.map(\.value) ?? []
        return times.compactMap { time -> Falsification? in
            guard time.bytes == nil, let shift = time.test.refusedShift else { return nil }
            let fitting = task.events.indices.filter { time.moment.fits(task.events[$0].kind) }
            guard fitting.indices.contains(time.ordinal - 1) else { return nil }
            let place = fitting[time.ordinal - 1]
            let what = "\(task.events[place].kind.rawValue) of \(task.name)"
            return lie(what, shift, task.name) { evidence in
                var told = task
                told.events[place].time += shift
                evidence.book.replace(told)
            }
        }
    }

    func timeChanged(
        _ subject: (RunBook.Result, ResultExpectation), _: inout Draw
    ) -> [Falsification] {
        let (result, expected) = subject
        guard let end = result.end else { return [] }
        let kind: TransferEvent.Kind = result.error == nil ? .success : .failure
        return expected.times.map(\.value).compactMap { time -> Falsification? in
            guard time.bytes == nil, time.ordinal == 1, time.moment.fits(kind),
                let shift = time.test.refusedShift
            else { return nil }
            return lie("the end of \(result.name)", shift, result.name) { evidence in
                var told = result
                told.end = end + shift
                evidence.book.replace(told)
            }
        }
    }

    private func lie(
        _ what: String, _ shift: Duration, _ subject: String,
        _ apply: @escaping (inout RunEvidence) -> Void
    ) -> Falsification {
        Falsification(
            .timeChanged, "\(what) was told years too \(shift > .zero ? "late" : "early")",
            noticer: .expectation(.time, subject: subject), apply: apply)
    }
}

extension TaskTrigger.Moment {
    fileprivate func fits(_ kind: TransferEvent.Kind) -> Bool {
        switch self {
        case .event(let wanted): kind == wanted
        case .end: kind.isTerminal
        }
    }
}
