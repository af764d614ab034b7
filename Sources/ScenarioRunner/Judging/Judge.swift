import EventMatching
import FaultEngine
import RunModel
import Scenario
import StorageModel

/// Holds expectations against what was seen.
struct Judge {
    let evidence: RunEvidence

    /// Everything that is not as it should be, in the order of the language's page.
    func failures(_ expect: Expectation) -> [Failure] {
        let own = direct(expect)
        guard !expect.outcomes.isEmpty else { return own }
        let tried = expect.outcomes.map(failures)
        guard !tried.contains(where: \.isEmpty),
            let nearest = tried.enumerated().min(by: { $0.element.count < $1.element.count })
        else { return own }
        let note =
            "none of \(tried.count) outcomes came; this is of the nearest, outcome "
            + "\(nearest.offset + 1)"
        return own
            + nearest.element.map { failure in
                var failure = failure
                failure.notes.append(note)
                return failure
            }
    }

    private func direct(_ expect: Expectation) -> [Failure] {
        var failures: [Failure] = []
        for task in expect.tasks { failures += self.failures(task) }
        for observer in expect.observers { failures += self.failures(observer) }
        for result in expect.results { failures += self.failures(result) }
        for stored in expect.stored { failures += self.failures(stored) }
        failures += requests(expect.requests ?? [])
        failures += exchanges(expect.exchanges)
        if let sessions = expect.sessions { failures += self.failures(sessions) }
        if let asked = expect.tokensAsked {
            failures += number(
                .tokens, "requests for a token", Int64(evidence.book.tokensAsked), asked.value,
                asked.place)
        }
        if let resources = expect.resources, let connections = evidence.connections {
            failures += number(
                .resources, "open connections", Int64(connections), resources.connections,
                resources.place)
        }
        if let complaints = expect.complaints { failures += self.complaints(complaints) }
        return failures
    }

    // MARK: The server's log

    private func requests(_ parts: [Placed<RequestsExpectation.Part>]) -> [Failure] {
        let log = RequestsExpectation.log(
            of: evidence.exchanges, countsResends: evidence.countsResends)
        return parts.flatMap { part in
            RequestsExpectation(parts: [part.value])
                .differences(from: log, lookup: evidence.lookup)
                .map { difference in
                    Failure(
                        .requests, subject: part.value.path, difference.sentence,
                        place: part.place, difference: difference)
                }
        }
    }

    private func exchanges(_ tests: [Placed<ExchangesTest>]) -> [Failure] {
        tests.flatMap { test in
            var scaled = test.value
            scaled.selector = WallScale(factor: evidence.scale.factor).selector(scaled.selector)
            return scaled.problems(
                in: evidence.exchanges, scale: evidence.scale, lookup: evidence.lookup
            ).map { Failure(.exchanges, $0, place: test.place) }
        }
    }

    private func failures(_ sessions: SessionsExpectation) -> [Failure] {
        number(
            .sessions, "open upload sessions", Int64(evidence.sessionsOpen), sessions.open,
            sessions.place)
            + number(
                .sessions, "upload sessions started", Int64(evidence.sessionsStarted),
                sessions.started, sessions.place)
            + number(
                .sessions, "upload sessions that got bytes", Int64(evidence.sessionsFed),
                sessions.fed, sessions.place)
    }

    private func complaints(_ expected: Placed<ComplaintsTest>) -> [Failure] {
        let seen = Set(evidence.complaints.map(\.name))
        let wanted: Set<String> =
            switch expected.value {
            case .none: []
            case .names(let names): Set(names)
            }
        let missing = wanted.subtracting(seen).sorted()
        let extra = evidence.complaints.filter { !wanted.contains($0.name) }
        return missing.map {
            Failure(.complaints, "the server never complained of '\($0)'", place: expected.place)
        }
            + extra.map {
                Failure(
                    .complaints, "the server complained of '\($0.name)': \($0.sentence)",
                    place: expected.place)
            }
    }

    /// A sentence for a number that its test does not allow.
    func number(
        _ kind: Failure.Kind, subject: String? = nil, _ what: String, _ seen: Int64,
        _ test: NumberTest?, _ place: SourcePlace
    ) -> [Failure] {
        guard let test, !test.holds(seen) else { return [] }
        return [
            Failure(
                kind, subject: subject, "\(what): \(seen), \(test) expected", place: place)
        ]
    }
}
