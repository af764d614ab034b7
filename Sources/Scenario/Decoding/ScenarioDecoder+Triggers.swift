import FaultEngine
import StorageModel

extension ScenarioDecoder {
    /// A moment, or a list of moments that must all come.
    ///
    /// - Parameter isOfServer: it must make sense to a server without a client too.
    func trigger(_ node: YAMLNode, isOfServer: Bool = false) -> Trigger? {
        if let nodes = node.sequence {
            guard !nodes.isEmpty else {
                error("a list of triggers must not be empty", at: node.place)
                return nil
            }
            let triggers = nodes.compactMap { trigger($0, isOfServer: isOfServer) }
            return triggers.count == nodes.count ? .all(triggers) : nil
        }
        guard let text = text(node) else { return nil }
        var scanner = WordScanner(text, in: node)
        guard let trigger = trigger(&scanner) else { return nil }
        if isOfServer { serverTriggers.append(PlacedTrigger(trigger, node.place)) }
        return trigger
    }

    private func trigger(_ scanner: inout WordScanner) -> Trigger? {
        let place = scanner.place
        guard let first = scanner.next()?.text else {
            error("a trigger is missing: up progress, wire download request-head, ...", at: place)
            return nil
        }
        switch first {
        case "wire": return wire(&scanner)
        case "fault": return faultTrigger(&scanner)
        case "step": return stepTrigger(&scanner)
        case "time":
            let place = scanner.place
            return duration(YAMLNode(text: scanner.rest(), place)).map { .time($0) }
        case "gate":
            let place = scanner.place
            return name(YAMLNode(text: scanner.rest(), place)).map { .gate(name: $0) }
        default: return named(first, &scanner, at: place)
        }
    }

    private func wire(_ scanner: inout WordScanner) -> Trigger? {
        guard var selector = match(&scanner) else { return nil }
        if let word = scanner.peek, word.hasPrefix("path=") {
            _ = scanner.next()
            var path = String(word.dropFirst(5))
            while let next = scanner.peek, !Self.phaseNames.contains(next) {
                path += " " + next
                _ = scanner.next()
            }
            selector.filters.path = Glob(path)
        }
        let place = scanner.place
        guard let phase = phase(&scanner) else { return nil }
        guard (phase == .connect) == (selector.operation == .one(.connect)) else {
            error("'connect' has the phase 'connect', and no other operation has it", at: place)
            return nil
        }
        switch phase {
        case .idle: require(.timedWireTriggers, at: place)
        case .connect, .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .responseBody, .responseEnd, .elapsed, .unread:
            break
        }
        return .wire(selector, phase)
    }

    private func faultTrigger(_ scanner: inout WordScanner) -> Trigger? {
        let place = scanner.place
        let (name, ordinal) = Self.numbered(scanner.rest())
        guard let ordinal else {
            error("a fault's ordinal is a number from 1 on: fault cut#2", at: place)
            return nil
        }
        guard names.entries[name]?.kind == .fault else {
            unknown("fault", name, known: names.names(of: [.fault]), at: place)
            return nil
        }
        return .fault(name: name, ordinal: ordinal)
    }

    private func stepTrigger(_ scanner: inout WordScanner) -> Trigger? {
        let place = scanner.place
        let text = scanner.rest()
        let name = text.split(separator: "#").first.map(String.init) ?? ""
        guard names.steps.contains(name), names.entry(text) != nil else {
            unknown("step", text, known: names.steps.sorted(), at: place)
            return nil
        }
        return .step(name: text)
    }

    private func named(
        _ name: String, _ scanner: inout WordScanner, at place: SourcePlace
    ) -> Trigger? {
        guard let entry = names.entry(name) else {
            if tellsRounds(of: name, at: place) { return nil }
            let words = ["wire", "fault", "step", "time", "gate"]
            unknown(
                "task or result", name, known: names.taskNames + names.resultNames + words,
                at: place)
            return nil
        }
        switch entry.kind {
        case .upload, .download: return taskTrigger(name, &scanner)
        case .result: return resultTrigger(name, &scanner)
        case .observer, .step, .fault, .token:
            error("'\(name)' is no task and no result, so it has no events", at: place)
            return nil
        }
    }

    private func taskTrigger(_ task: String, _ scanner: inout WordScanner) -> Trigger? {
        let place = scanner.place
        guard let word = scanner.next()?.text else {
            error("an event of '\(task)' is missing: \(task) progress, \(task) end", at: place)
            return nil
        }
        let (event, ordinal) = Self.numbered(word)
        guard let moment = moment(event, at: place) else { return nil }
        guard let ordinal else {
            error("an event's ordinal is a number from 1 on: progress#2", at: place)
            return nil
        }
        var bytes: NumberTest?
        if !scanner.isAtEnd {
            let place = scanner.place
            guard let test = numberTest(YAMLNode(text: scanner.rest(), place), .size) else {
                return nil
            }
            bytes = test
        }
        return .task(TaskTrigger(task: task, moment: moment, ordinal: ordinal, bytes: bytes))
    }

    private func resultTrigger(_ name: String, _ scanner: inout WordScanner) -> Trigger? {
        let place = scanner.place
        let word = scanner.rest()
        guard let moment = ResultMoment(rawValue: word) else {
            unknown(
                "moment of a result", word, known: ResultMoment.allCases.map(\.rawValue), at: place)
            return nil
        }
        return .result(name: name, moment)
    }

    /// An event's name, or `end`.
    func moment(_ text: String, at place: SourcePlace) -> TaskTrigger.Moment? {
        if text == "end" { return .end }
        if let kind = TransferEvent.Kind(rawValue: text) { return .event(kind) }
        let known = TransferEvent.Kind.allCases.map(\.rawValue) + ["end"]
        unknown("event", text, known: known, at: place)
        return nil
    }

    /// A name and the number behind `#`, which is 1 if left out and nil if wrong.
    static func numbered(_ text: String) -> (name: String, ordinal: Int?) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return (text, 1) }
        return (String(parts[0]), count(parts[1]))
    }
}
