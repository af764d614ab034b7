import StorageModel

/// Why a command line cannot be carried out.
struct UsageError: Error {
    let message: String
    /// The word that was perhaps meant.
    var hint: String?
    /// The command line is fine, a scenario or client file that it names is not.
    var isAboutScenario: Bool

    /// What is wrong with a file was written to standard error.
    static let alreadyTold = UsageError("", isAboutScenario: true)

    init(_ message: String, hint: String? = nil, isAboutScenario: Bool = false) {
        self.message = message
        self.hint = hint
        self.isAboutScenario = isAboutScenario
    }
}

/// A command line, taken apart.
struct ParsedArguments {
    /// Values by the option's name, in order; a flag has an empty list.
    fileprivate(set) var options: [String: [String]] = [:]
    fileprivate(set) var paths: [String] = []
    /// What stands after `--`; nil without it.
    fileprivate(set) var childCommand: [String]?

    var wantsHelp: Bool { options["--help"] != nil }

    func has(_ flag: String) -> Bool { options[flag] != nil }

    func values(_ option: String) -> [String] { options[option] ?? [] }

    func value(_ option: String) -> String? { options[option]?.last }

    /// The same without some options.
    func without(options names: [String]) -> ParsedArguments {
        var rest = self
        for name in names { rest.options[name] = nil }
        return rest
    }

    /// A whole number of an option, within bounds.
    func number<Number: FixedWidthInteger>(
        _ option: String, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = value(option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw UsageError(
                "\(option) takes a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound), not '\(text)'")
        }
        return number
    }
}

/// Reads a command line by the command's own description.
struct ArgumentParser {
    private let command: CommandSpec

    init(_ command: CommandSpec) { self.command = command }

    func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        var parsed = ParsedArguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                try takeCommand(Array(rest), into: &parsed)
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                guard command.takesPaths else {
                    let way =
                        command.takesCommand ? "; the client's command stands behind '--'" : ""
                    throw UsageError("'\(command.name)' takes no '\(word)'\(way)")
                }
                parsed.paths.append(word)
                continue
            }
            try takeOption(word, &rest, into: &parsed)
        }
        return parsed
    }

    private func takeCommand(
        _ words: [String], into parsed: inout ParsedArguments
    ) throws(UsageError) {
        guard command.takesCommand else {
            throw UsageError("'\(command.name)' drives no command")
        }
        guard !words.isEmpty else { throw UsageError("there is no command after '--'") }
        parsed.childCommand = words
    }

    private func takeOption(
        _ word: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.options.first(where: { $0.name == name }) else {
            let names = command.options.map(\.name)
            throw UsageError(
                "unknown option '\(name)'", hint: Spelling.nearest(to: name, among: names))
        }
        if !option.isRepeatable, parsed.options[name] != nil {
            throw UsageError("\(name) is given twice")
        }
        guard let argument = option.argument else {
            if parts.count > 1 { throw UsageError("\(name) takes no value") }
            parsed.options[name] = []
            return
        }
        if option.takesWords {
            var words = parts.count > 1 ? [String(parts[1])] : []
            while let word = rest.first, !word.hasPrefix("-") {
                words.append(word)
                rest.removeFirst()
            }
            parsed.options[name] = words
            return
        }
        let value = parts.count > 1 ? String(parts[1]) : rest.popFirst()
        guard let value, !value.isEmpty else { throw UsageError("\(name) needs \(argument)") }
        parsed.options[name, default: []].append(value)
    }
}
