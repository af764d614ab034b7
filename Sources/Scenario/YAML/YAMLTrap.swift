import StorageModel

/// What libyaml says about a text that it cannot read.
struct YAMLFailure {
    var problem: String
    var context: String?
    var place: SourcePlace
    var contextPlace: SourcePlace
}

/// The mistakes that the language invites, told in its own words.
enum YAMLTrap {
    static func diagnostic(_ failure: YAMLFailure, _ source: SourceText) -> Diagnostic {
        if let trap = matrixValue(failure, source) ?? tab(failure, source) { return trap }
        for place in [failure.contextPlace, failure.place] {
            if let character = source.character(at: place), needsQuotes(character, failure) {
                return quoting(character, source, place)
            }
        }
        if failure.problem.hasPrefix("mapping values are not allowed") {
            return error(
                "a ':' is not allowed here; quote a value that contains ': ', or indent the line",
                failure.place, source)
        }
        if failure.problem.contains("unexpected end of stream"), failure.context != nil {
            return error("the quotes opened here are never closed", failure.contextPlace, source)
        }
        return bracket(failure, source) ?? error(plain(failure), failure.place, source)
    }

    /// A bracket that nothing closes, or whose parts no comma separates.
    private static func bracket(_ failure: YAMLFailure, _ source: SourceText) -> Diagnostic? {
        let pairs: [Character: (end: String, context: String)] = [
            "{": ("}", "while parsing a flow mapping"), "[": ("]", "while parsing a flow sequence"),
        ]
        guard failure.problem.hasPrefix("did not find expected ','"),
            let open = source.character(at: failure.contextPlace), let pair = pairs[open],
            failure.context == pair.context
        else { return nil }
        return error(
            "the '\(open)' opened here is never closed by '\(pair.end)', or a ',' is missing "
                + "before line \(failure.place.line), column \(failure.place.column)",
            failure.contextPlace, source)
    }

    /// A value that starts with a character which means something else in YAML.
    static func quoting(
        _ character: Character, _ source: SourceText, _ place: SourcePlace
    ) -> Diagnostic {
        let value = value(in: source, from: place)
        return error(
            "a value that starts with '\(character)' must be quoted", place, source,
            suggestion: "\"\(value)\"")
    }

    private static func needsQuotes(_ character: Character, _ failure: YAMLFailure) -> Bool {
        switch character {
        case "@", "%", "`": true
        case "*": failure.context == "while scanning an alias"
        case ">":
            failure.context == "while scanning a block scalar"
                || failure.context == "while scanning for the next token"
        case "?":
            failure.problem.hasPrefix("mapping keys are not allowed")
                || failure.problem == "did not find expected node content"
        default: false
        }
    }

    /// `${x}` in flow style: libyaml reads `$` and stops at the brace.
    private static func matrixValue(_ failure: YAMLFailure, _ source: SourceText) -> Diagnostic? {
        let brace = failure.place
        guard brace.column > 1, source.character(at: brace) == "{" else { return nil }
        let dollar = SourcePlace(file: brace.file, line: brace.line, column: brace.column - 1)
        guard source.character(at: dollar) == "$" else { return nil }
        let line = Array((source.line(brace.line) ?? "").unicodeScalars)
        var start = dollar.column - 1
        while start > 0, !" ,[{:".unicodeScalars.contains(line[start - 1]) { start -= 1 }
        let place = SourcePlace(file: brace.file, line: brace.line, column: start + 1)
        return error(
            "a value with '${...}' inside '{ }' or '[ ]' must be quoted", place, source,
            suggestion: "\"\(matrixText(line[start...]))\"")
    }

    private static func matrixText(_ text: ArraySlice<Unicode.Scalar>) -> String {
        var depth = 0
        var result = String.UnicodeScalarView()
        for scalar in text {
            if scalar == "{" { depth += 1 }
            if depth == 0, " ,]}".unicodeScalars.contains(scalar) { break }
            if scalar == "}" { depth -= 1 }
            result.append(scalar)
        }
        return String(result)
    }

    private static func tab(_ failure: YAMLFailure, _ source: SourceText) -> Diagnostic? {
        guard source.character(at: failure.place) == "\t" || failure.problem.contains("tab") else {
            return nil
        }
        return error("a tab is not allowed here; indent with spaces", failure.place, source)
    }

    /// The value as it stands there: up to a comma, a closing bracket or a comment.
    private static func value(in source: SourceText, from place: SourcePlace) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in source.rest(from: place) {
            if ",}]".unicodeScalars.contains(scalar) { break }
            if scalar == "#", previous == " ", !result.isEmpty { break }
            result.append(scalar)
            previous = scalar
        }
        while result.last == " " { result.removeLast() }
        return String(result)
    }

    private static func plain(_ failure: YAMLFailure) -> String {
        guard let context = failure.context else { return "not valid YAML: \(failure.problem)" }
        let start = failure.contextPlace
        return "not valid YAML: \(failure.problem) \(context) "
            + "that begins in line \(start.line), column \(start.column)"
    }

    private static func error(
        _ message: String, _ place: SourcePlace, _ source: SourceText, suggestion: String? = nil
    ) -> Diagnostic {
        Diagnostic(
            place: place, message: message, suggestion: suggestion,
            sourceLine: source.line(place.line))
    }
}
