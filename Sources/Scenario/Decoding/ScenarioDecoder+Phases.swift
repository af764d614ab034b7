import FaultEngine
import StorageModel

extension ScenarioDecoder {
    static let phaseNames = [
        "connect", "request-head", "request-body", "before-commit", "after-commit",
        "response-head", "response-body", "response-end", "idle", "elapsed", "unread",
    ]

    func phase(_ node: YAMLNode) -> FaultPhase? {
        guard let text = text(node) else { return nil }
        var scanner = WordScanner(text, in: node)
        return phase(&scanner)
    }

    /// The phase that the rest of a text names.
    func phase(_ scanner: inout WordScanner) -> FaultPhase? {
        let place = scanner.place
        guard let word = scanner.next()?.text else {
            error("a phase is missing: request-body 100KiB, after-commit and the like", at: place)
            return nil
        }
        let valuePlace = scanner.place
        let value = scanner.rest()
        if let plain = Self.plainPhase(word) {
            guard value.isEmpty else {
                error("the phase '\(word)' takes no value", at: valuePlace)
                return nil
            }
            return plain
        }
        switch word {
        case "request-body": return offset(value, word, at: valuePlace).map { .requestBody($0) }
        case "response-body": return offset(value, word, at: valuePlace).map { .responseBody($0) }
        case "idle": return phaseTime(value, word, at: valuePlace).map { .idle($0) }
        case "elapsed": return phaseTime(value, word, at: valuePlace).map { .elapsed($0) }
        case "unread": return phaseTime(value, word, at: valuePlace).map { .unread($0) }
        default:
            unknown("phase", word, known: Self.phaseNames, at: place)
            return nil
        }
    }

    private static func plainPhase(_ word: String) -> FaultPhase? {
        switch word {
        case "connect": .connect
        case "request-head": .requestHead
        case "before-commit": .beforeCommit
        case "after-commit": .afterCommit
        case "response-head": .responseHead
        case "response-end": .responseEnd
        default: nil
        }
    }

    private func phaseTime(_ text: String, _ word: String, at place: SourcePlace) -> Duration? {
        guard !text.isEmpty else {
            error("the phase '\(word)' needs a duration: \(word) 2s", at: place)
            return nil
        }
        return duration(YAMLNode(text: text, place))
    }

    /// A size, `50%`, `end`, `end-1` or `object 1MiB`.
    private func offset(_ text: String, _ word: String, at place: SourcePlace) -> ByteOffset? {
        guard !text.isEmpty else {
            error(
                "the phase '\(word)' needs a place: 100KiB, 50%, end, end-1, object 1MiB", at: place
            )
            return nil
        }
        if let size = ScalarText.size(text) { return .bytes(size) }
        if text.hasSuffix("%") {
            return percent(YAMLNode(text: text, place)).map { .percent($0) }
        }
        if text == "end" { return .beforeEnd(0) }
        if text.hasPrefix("end-"), let size = ScalarText.size(text.dropFirst(4)) {
            return .beforeEnd(size)
        }
        if text.hasPrefix("object "), let size = ScalarText.size(text.dropFirst(7)) {
            return .object(size)
        }
        error(
            "'\(text)' is no place in a body: 100KiB, 50%, end, end-1 or object 1MiB", at: place)
        return nil
    }

    /// `none`, `all`, `twice`, a size, a percentage, `+4KiB`
    func commit(_ node: YAMLNode) -> CommitAmount? {
        guard let text = text(node) else { return nil }
        switch text {
        case "none": return CommitAmount.none
        case "all": return .all
        case "twice": return .twice
        default: break
        }
        if text.hasPrefix("+"), let size = ScalarText.size(text.dropFirst()) { return .more(size) }
        if text.hasSuffix("%") { return percent(node).map { .percent($0) } }
        if let size = ScalarText.size(text) { return .bytes(size) }
        error("'\(text)' is no commit: none, all, twice, 64KiB, 50% or +4KiB", at: node.place)
        return nil
    }
}
