import EventMatching
import FaultEngine
import StorageModel

extension ScenarioDecoder {
    /// The block `expect`, one of its `outcomes`, or what a profile replaces of it.
    func expectation(_ node: YAMLNode, isOutcome: Bool = false) -> Expectation {
        var expectation = Expectation()
        guard let pairs = node.mapping else {
            error("'expect' is a mapping, not \(node.kindName)", at: node.place)
            return expectation
        }
        for pair in pairs {
            let key = pair.key.scalar ?? ""
            if key == "outcomes" {
                outcomes(pair, &expectation, isOutcome: isOutcome)
            } else if NameTable.expectKeys.contains(key) {
                entry(key, pair.value, &expectation)
            } else {
                named(key, pair, &expectation)
            }
        }
        return expectation
    }

    private func outcomes(
        _ pair: YAMLNode.Pair, _ expectation: inout Expectation, isOutcome: Bool
    ) {
        guard !isOutcome else {
            error("'outcomes' do not stand inside each other", at: pair.key.place)
            return
        }
        if pair.value.sequence?.isEmpty == true {
            error("'outcomes' needs at least one", at: pair.value.place)
        }
        expectation.outcomes = list(pair.value).map { self.expectation($0, isOutcome: true) }
    }

    private func entry(_ key: String, _ node: YAMLNode, _ expectation: inout Expectation) {
        switch key {
        case "stored": expectation.stored = stored(node)
        case "requests": expectation.requests = requests(node)
        case "exchanges": expectation.exchanges = list(node).compactMap(exchangesTest)
        case "sessions": expectation.sessions = sessions(node)
        case "tokens":
            expectation.tokensAsked = MappingReader(
                node, "'tokens'", keys: Shape.tokensAsked.keys, self)?
                .require("asked") { numberTest($0, .count) }.map { Placed($0, node.place) }
        case "resources": expectation.resources = resources(node)
        case "complaints": expectation.complaints = complaints(node)
        default: expectation.invariants = invariants(node)
        }
    }

    private func named(
        _ name: String, _ pair: YAMLNode.Pair, _ expectation: inout Expectation
    ) {
        switch names.entry(name)?.kind {
        case .upload, .download: taskExpectation(name, pair).map { expectation.tasks.append($0) }
        case .observer:
            guard
                let reader = MappingReader(
                    pair.value, "an observer", keys: Shape.observer.keys, self)
            else { return }
            var observer = ObserverExpectation(name: name, place: pair.key.place)
            observer.events = reader["events"].flatMap { node in
                eventPatterns(node).map { Placed($0, node.place) }
            }
            expectation.observers.append(observer)
        case .result(let verb):
            resultExpectation(name, verb, pair).map { expectation.results.append($0) }
        case .step, .fault, .token:
            error("'\(name)' is no task, observer or result", at: pair.key.place)
        case nil:
            let known =
                NameTable.expectKeys + names.taskNames + names.resultNames
                + names.names(of: [.observer])
            unknown("task, observer, result or key", name, known: known, at: pair.key.place)
        }
    }

    private func requests(_ node: YAMLNode) -> [Placed<RequestsExpectation.Part>]? {
        if node.mapping != nil { return requestsPart(node).map { [$0] } }
        let isParts = node.sequence?.contains { $0["are"] != nil } ?? false
        if isParts { return list(node).compactMap(requestsPart) }
        return requestPatterns(node).map {
            [Placed(RequestsExpectation.Part(pattern: $0), node.place)]
        }
    }

    private func requestsPart(_ node: YAMLNode) -> Placed<RequestsExpectation.Part>? {
        guard
            let reader = MappingReader(
                node, "a part of 'requests'", keys: Shape.requestsPart.keys, self),
            let pattern = reader.require("are", requestPatterns)
        else { return nil }
        let of = reader.read("of", objectAddress)
        let part = RequestsExpectation.Part(
            path: of?.path, bucket: of?.bucket,
            after: reader.read("after") { trigger($0, isOfServer: true) },
            before: reader.read("before") { trigger($0, isOfServer: true) }, pattern: pattern)
        return Placed(part, node.place)
    }

    private func sessions(_ node: YAMLNode) -> SessionsExpectation? {
        guard let reader = MappingReader(node, "'sessions'", keys: Shape.sessions.keys, self)
        else { return nil }
        var sessions = SessionsExpectation(place: node.place)
        sessions.open = reader.read("open") { numberTest($0, .count) }
        sessions.started = reader.read("started") { numberTest($0, .count) }
        sessions.fed = reader.read("fed") { numberTest($0, .count) }
        return sessions
    }

    private func resources(_ node: YAMLNode) -> ResourcesExpectation? {
        guard let reader = MappingReader(node, "'resources'", keys: Shape.resources.keys, self)
        else { return nil }
        var resources = ResourcesExpectation(place: node.place)
        resources.tasks = reader.read("tasks") { node in
            require(.aliveTasks, at: node.place)
            return numberTest(node, .count)
        }
        resources.connections = reader.read("connections") { numberTest($0, .count) }
        return resources
    }

    private func complaints(_ node: YAMLNode) -> Placed<ComplaintsTest>? {
        if node.scalar == "none" { return Placed(.none, node.place) }
        guard node.sequence != nil else {
            error("'complaints' is none, or a list of names", at: node.place)
            return nil
        }
        let kinds = list(node).compactMap { choice($0, "complaint", of: Complaint.Kind.self) }
        return Placed(.names(kinds.map(\.rawValue)), node.place)
    }

    func invariants(_ node: YAMLNode) -> Placed<InvariantExceptions>? {
        guard let reader = MappingReader(node, "'invariants'", keys: Shape.invariants.keys, self),
            let except = reader.require("except", list), let why = reader.require("why", text)
        else { return nil }
        let invariants = except.compactMap { choice($0, "invariant", of: Invariant.self) }
        return Placed(InvariantExceptions(Set(invariants), why: why), node.place)
    }
}
