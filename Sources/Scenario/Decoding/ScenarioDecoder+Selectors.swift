import FaultEngine
import StorageModel

extension ScenarioDecoder {
    /// Operations of the other dialect, which the language names already.
    private static let laterOperations = ["copy", "rewrite", "compose"]

    /// `upload.chunk#2`, `download#every 3`, `"*"`
    func match(_ node: YAMLNode) -> ExchangeSelector? {
        guard let text = text(node) else { return nil }
        var scanner = WordScanner(text, in: node)
        guard let selector = match(&scanner) else { return nil }
        guard scanner.isAtEnd else {
            error("'\(scanner.rest())' is no part of a match", at: node.place)
            return nil
        }
        return selector
    }

    /// The operation and the ordinal at the head of a text.
    func match(_ scanner: inout WordScanner) -> ExchangeSelector? {
        let place = scanner.place
        guard let word = scanner.next() else {
            error("an operation is missing here", at: place)
            return nil
        }
        let parts = word.text.split(
            separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let operation = operation(String(parts[0]), at: place) else {
            if parts.count == 2, parts[1] == "every" { _ = scanner.next() }
            return nil
        }
        guard parts.count == 2 else { return ExchangeSelector(operation: operation) }
        let ordinalPlace = scanner.node.place(
            atOffset: word.offset + parts[0].unicodeScalars.count)
        guard let ordinal = ordinal(String(parts[1]), &scanner, at: ordinalPlace) else {
            return nil
        }
        if ordinal == .last, !Self.hasLast(operation) {
            error(
                "'#last' is known of upload.body, upload.finalize and download alone",
                at: ordinalPlace)
            return nil
        }
        return ExchangeSelector(operation: operation, ordinal: ordinal)
    }

    func operation(_ text: String, at place: SourcePlace) -> OperationPattern? {
        if let pattern = OperationPattern(text) { return pattern }
        if Self.laterOperations.contains(text) || text.hasPrefix("bucket.") {
            notYetSupported("the operation '\(text)'", at: place)
            return nil
        }
        unknown("operation", text, known: OperationPattern.allNames, at: place)
        return nil
    }

    private static func hasLast(_ operation: OperationPattern) -> Bool {
        switch operation {
        case .uploadBody, .one(.uploadFinalize), .one(.download): true
        case .one, .prefix, .everything: false
        }
    }

    private func ordinal(
        _ text: String, _ scanner: inout WordScanner, at place: SourcePlace
    ) -> OrdinalPattern? {
        switch text {
        case "last": return .last
        case "every":
            guard let word = scanner.next(), let step = Self.count(word.text) else { break }
            return .every(step)
        default:
            if let number = Self.count(text) { return .exactly(number) }
            let bounds = text.split(separator: ".", omittingEmptySubsequences: false)
            guard bounds.count == 3, bounds[1].isEmpty, let first = Self.count(bounds[0])
            else { break }
            if bounds[2].isEmpty { return .range(from: first, through: nil) }
            guard let last = Self.count(bounds[2]), last >= first else { break }
            return .range(from: first, through: last)
        }
        error("'#\(text)' is no ordinal: #2, #1..4, #2.., #every 3 or #last", at: place)
        return nil
    }

    /// A whole number from 1 on.
    static func count(_ text: some StringProtocol) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            number >= 1
        else { return nil }
        return number
    }

    /// The conditions of `where`.
    func filters(_ reader: MappingReader, isOfServer: Bool) -> ExchangeFilters {
        var filters = ExchangeFilters()
        filters.path = reader.read("path", glob)
        filters.bucket = reader.read("bucket", text)
        filters.method = reader.read("method", text)
        filters.target = reader.read("target", glob)
        filters.query = reader.read("query") { textTests($0, "query") } ?? [:]
        filters.headers = reader.read("header") { textTests($0, "header") } ?? [:]
        filters.json = reader.read("json") { textTests($0, "json") } ?? [:]
        filters.token = reader.read("token", tokenName)
        filters.session = reader.read("session") { integer($0, in: 1...Int.max) }
        filters.connection = reader.read("connection") { integer($0, in: 1...Int.max) }
        filters.isReused = reader.read("reused", boolean)
        filters.from = reader.read("from", duration)
        filters.until = reader.read("until", duration)
        filters.since = reader.read("since") { trigger($0, isOfServer: isOfServer) }
        if let from = filters.from, let until = filters.until, from >= until {
            error(
                "no time is from \(from.scenarioText) until \(until.scenarioText)", at: reader.place
            )
        }
        return filters
    }

    /// The name of a token of the backend.
    func tokenName(_ node: YAMLNode) -> String? {
        guard let name = name(node) else { return nil }
        if names.entry(name)?.kind != .token {
            unknown("token", name, known: names.names(of: [.token]), at: node.place)
        }
        return name
    }
}
