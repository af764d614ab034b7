import StorageModel

extension ScenarioDecoder {
    /// The traits of a profile's file, over those of its base.
    func traits(_ node: YAMLNode, over base: Traits) -> Traits {
        var traits = base
        let known = Trait.allCases.map(\.rawValue)
        for (key, pair) in pairs(node, "'traits'") {
            guard let trait = Trait(rawValue: key) else {
                unknown("trait", key, known: known, at: pair.key.place)
                continue
            }
            read(trait, pair.value, &traits)
        }
        return traits
    }

    private func read(_ trait: Trait, _ node: YAMLNode, _ traits: inout Traits) {
        switch trait {
        case .startEvent: word(trait, node, &traits.startEvent)
        case .closingProgress: word(trait, node, &traits.closingProgress)
        case .progressEvents: word(trait, node, &traits.progressEvents)
        case .progressUnit: word(trait, node, &traits.progressUnit)
        case .progressTotal: word(trait, node, &traits.progressTotal)
        case .pauseEvent: word(trait, node, &traits.pauseEvent)
        case .memoryPause: word(trait, node, &traits.memoryPause)
        case .refusedToken: word(trait, node, &traits.refusedToken)
        case .cancelledEvent: word(trait, node, &traits.cancelledEvent)
        case .cancelWhilePaused: word(trait, node, &traits.cancelWhilePaused)
        case .cancelCommand: word(trait, node, &traits.cancelCommand)
        case .lateObserver: word(trait, node, &traits.lateObserver)
        case .afterBreak: word(trait, node, &traits.afterBreak)
        case .queryFailure: word(trait, node, &traits.queryFailure)
        case .refusedWhileActive: word(trait, node, &traits.refusedWhileActive)
        case .exhausted: word(trait, node, &traits.exhausted)
        case .checksum: word(trait, node, &traits.checksum)
        case .downloadResume: word(trait, node, &traits.downloadResume)
        case .retries: traits.retries = retryHabit(node, over: traits.retries)
        case .smallUpload: smallUpload(node).map { traits.smallUpload = $0 }
        case .chunks: chunks(node).map { traits.chunks = $0 }
        case .errorNames: traits.errorNames = errorNames(node)
        }
    }

    private func word<Word: RawRepresentable<String> & CaseIterable>(
        _ trait: Trait, _ node: YAMLNode, _ value: inout Word
    ) {
        choice(node, "value of '\(trait.rawValue)'", of: Word.self).map { value = $0 }
    }

    // MARK: Values with numbers

    private func smallUpload(_ node: YAMLNode) -> Traits.SmallUpload? {
        switch node.scalar {
        case "resumable"?: return .resumable
        case "media"?: return .media
        case let word?:
            unknown(
                "value of 'small-upload'", word, known: Trait.smallUpload.forms, at: node.place)
            return nil
        case nil:
            let key = "multipart-to"
            guard let reader = MappingReader(node, "'small-upload'", keys: [key], self) else {
                return nil
            }
            return reader.require(key) { size($0, atLeast: 1) }.map { .multipart(upTo: $0) }
        }
    }

    private func chunks(_ node: YAMLNode) -> Traits.Chunks? {
        switch node.scalar {
        case "settable"?: return .settable
        case "whole"?: return .whole
        case let word?:
            unknown("value of 'chunks'", word, known: Trait.chunks.forms, at: node.place)
            return nil
        case nil:
            let keys = ["fixed", "doubling"]
            guard let reader = MappingReader(node, "'chunks'", keys: keys, self),
                let key = reader.one(of: keys)
            else { return nil }
            if key == "fixed" {
                return reader.read(key) { size($0, atLeast: 1) }.map { .fixed($0) }
            }
            return reader.read(key, doubling)
        }
    }

    private func doubling(_ node: YAMLNode) -> Traits.Chunks? {
        guard let text = text(node) else { return nil }
        let parts = text.replacing("..", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        let sizes = parts.compactMap { ScalarText.size(String($0.filter { $0 != " " })) }
        guard parts.count == 2, sizes.count == 2, sizes[0] >= 1, sizes[0] <= sizes[1] else {
            error("'\(text)' is no range of sizes: 256KiB..32MiB would be right", at: node.place)
            return nil
        }
        return .doubling(sizes[0], sizes[1])
    }

    private func retryHabit(_ node: YAMLNode, over base: RetryHabit) -> RetryHabit {
        var habit = base
        let keys = ["statuses", "transport", "waits"]
        guard let reader = MappingReader(node, "'retries'", keys: keys, self) else { return habit }
        if let list = reader["statuses"] { habit.statuses = self.list(list).compactMap(statuses) }
        if let list = reader["transport"] {
            habit.transport = self.list(list).compactMap {
                choice($0, "transport fault", of: TransportFault.self)
            }
        }
        if let waits = reader["waits"] { habit.waits = self.waits(waits, over: habit.waits) }
        return habit
    }

    /// `503` or `5xx`.
    private func statuses(_ node: YAMLNode) -> RetryHabit.Statuses? {
        guard let text = text(node) else { return nil }
        if let status = Int(text), (300...599).contains(status) { return .one(status) }
        if text.count == 3, text.hasSuffix("xx"), let digit = text.first?.wholeNumberValue,
            (3...5).contains(digit)
        {
            return .hundred(digit)
        }
        error("'\(text)' is no status to be tried again: 503 or 5xx", at: node.place)
        return nil
    }

    private func waits(_ node: YAMLNode, over base: RetryHabit.Waits) -> RetryHabit.Waits {
        var waits = base
        let keys = ["first", "factor", "longest", "overrun"]
        guard let reader = MappingReader(node, "'waits'", keys: keys, self) else { return waits }
        reader.read("first", duration).map { waits.first = $0 }
        reader.read("factor") { factor($0) }.map { waits.factor = $0 }
        reader.read("longest", duration).map { waits.longest = $0 }
        reader.read("overrun") { factor($0) }.map { waits.overrun = $0 }
        if waits.longest < waits.first {
            error("the longest wait is shorter than the first", at: node.place)
        }
        return waits
    }

    private func factor(_ node: YAMLNode) -> Double? {
        guard let text = text(node) else { return nil }
        guard let factor = Double(text), factor >= 1, factor <= 100 else {
            error("'\(text)' is no factor from 1 to 100", at: node.place)
            return nil
        }
        return factor
    }

    // MARK: Error names

    private func errorNames(_ node: YAMLNode) -> ErrorNames {
        var names = ErrorNames()
        for (key, pair) in pairs(node, "'error-names'") {
            if let subject = ErrorNames.Subject(rawValue: key) {
                names.bySubject[subject] = codes(pair.value, "'\(key)'")
            } else if let code = ErrorCode(rawValue: key) {
                names.all[code] = codes(pair.value)
            } else {
                let known =
                    ErrorNames.Subject.allCases.map(\.rawValue) + ErrorCode.allCases.map(\.rawValue)
                unknown("error code", key, known: known, at: pair.key.place)
            }
        }
        return names
    }

    private func codes(_ node: YAMLNode, _ what: String) -> [ErrorCode: [ErrorCode]] {
        var map: [ErrorCode: [ErrorCode]] = [:]
        for (key, pair) in pairs(node, what) {
            guard let code = ErrorCode(rawValue: key) else {
                let known = ErrorCode.allCases.map(\.rawValue)
                unknown("error code", key, known: known, at: pair.key.place)
                continue
            }
            map[code] = codes(pair.value)
        }
        return map
    }

    /// A code, or a list of those of which the client gives one.
    private func codes(_ node: YAMLNode) -> [ErrorCode] {
        let codes = (node.sequence ?? [node]).compactMap {
            choice($0, "error code", of: ErrorCode.self)
        }
        if codes.isEmpty, node.sequence?.isEmpty == true {
            error("at least one error code is needed", at: node.place)
        }
        return codes
    }
}
