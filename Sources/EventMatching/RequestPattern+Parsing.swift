internal import StorageModel

extension SequencePattern where Atom == RequestCondition {
    /// Reads the text form: `upload.chunk x3 length=256KiB`, `download? status=401`, `upload.**`.
    package init(parsing text: String) throws(PatternError) {
        let words = Self.words(Array(text))
        guard let first = words.first else {
            throw PatternError(
                .empty, at: 0, "a request is missing: an operation such as upload.chunk is needed")
        }
        var (operation, repetition) = try Self.operation(first.text, at: first.offset)
        var rest = words.dropFirst()
        if let count = rest.first, count.text.first == "x", !count.text.contains("=") {
            guard repetition == .once else {
                throw PatternError(
                    .badQuantifier, at: count.offset,
                    "two quantifiers: '\(repetition)' and '\(String(count.text))'")
            }
            repetition = try Quantifier.counted(count.text, at: count.offset)
            rest = rest.dropFirst()
        }
        var condition = RequestCondition(operation)
        var seen: Set<String> = []
        for word in rest {
            let key = try condition.set(word.text, at: word.offset)
            guard seen.insert(key).inserted else {
                throw PatternError(.repeated, at: word.offset, "'\(key)=' is given twice")
            }
        }
        self = .atom(condition, repetition)
        if size > Self.limit { throw Quantifier.tooLarge(at: 0) }
    }

    private static func words(_ text: [Character]) -> [(text: [Character], offset: Int)] {
        text.split(separator: " ").map { (Array($0), $0.startIndex) }
    }

    /// The longest reading of the first word: `upload.*` is a group, `upload.**` any number of it.
    private static func operation(
        _ word: [Character], at offset: Int
    ) throws(PatternError) -> (OperationPattern, Repetition) {
        if let pattern = OperationPattern(String(word)) { return (pattern, .once) }
        guard let last = word.last, let repetition = Quantifier.symbol(last) else {
            throw unknown(word, at: offset)
        }
        guard let pattern = OperationPattern(String(word.dropLast())) else {
            throw unknown(Array(word.dropLast()), at: offset)
        }
        return (pattern, repetition)
    }

    private static func unknown(_ word: [Character], at offset: Int) -> PatternError {
        let name = String(word)
        return PatternError(
            .unknownName, at: offset,
            "unknown operation '\(name)': upload.start, upload.chunk, download and the like are known",
            suggestion: Spelling.nearest(to: name, among: OperationPattern.allNames))
    }
}

extension RequestCondition {
    private static let keys = ["offset", "length", "status", "path"]

    /// Takes one `key=value`; returns the key.
    fileprivate mutating func set(
        _ word: [Character], at offset: Int
    ) throws(PatternError) -> String {
        guard let equals = word.firstIndex(of: "=") else {
            throw PatternError(
                .unexpectedText, at: offset,
                "'\(String(word))' is no condition: offset=, length=, status= or path= would be right"
            )
        }
        let key = String(word[..<equals])
        let value = String(word[(equals + 1)...])
        let valueOffset = offset + equals + 1
        switch key {
        case "offset": self.offset = try Self.size(value, key, at: valueOffset)
        case "length": length = try Self.size(value, key, at: valueOffset)
        case "status":
            guard let test = StatusTest(value) else {
                throw PatternError(
                    .badValue, at: valueOffset,
                    "'\(value)' is no status: 200, 400..499 or none would be right")
            }
            status = test
        case "path":
            guard !value.isEmpty else {
                throw PatternError(
                    .badValue, at: valueOffset, "the path is missing: path=images/* would be right")
            }
            path = Glob(value)
        default:
            throw PatternError(
                .unknownName, at: offset,
                "unknown condition '\(key)': offset, length, status and path are known",
                suggestion: Spelling.nearest(to: key, among: Self.keys))
        }
        return key
    }

    private static func size(
        _ value: String, _ key: String, at offset: Int
    ) throws(PatternError) -> NumberTest {
        guard let test = NumberTest(value, unit: .size), !test.isPercent else {
            throw PatternError(
                .badNumber, at: offset,
                "'\(value)' is no \(key) in bytes: 0, 256KiB or 1MiB..2MiB would be right")
        }
        return test
    }
}
