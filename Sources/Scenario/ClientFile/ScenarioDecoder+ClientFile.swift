import StorageModel

extension ScenarioDecoder {
    static let clientFileKeys = [
        "name", "mode", "command", "environment", "profile", "suite", "capabilities", "time-scale",
        "deadline", "known-failing", "known-flaky", "flaky-limit", "one-shot", "dial-in",
    ]

    /// A whole client file; nil where not even a name is there.
    func clientFile(_ root: YAMLNode) -> ClientFile? {
        guard
            let reader = MappingReader(root, "a client file", keys: Self.clientFileKeys, self)
        else { return nil }
        let name = reader.require("name") { node in
            self.clientName(node).map { Placed($0, node.place) }
        }
        var file = ClientFile(file: root.place.file, name: name ?? Placed("", root.place))
        file.mode = reader.read("mode") { choice($0, "mode") } ?? .stdio
        starting(&file, reader)
        expected(&file, reader)
        file.knownLists = knownLists(
            failing: reader["known-failing"], flaky: reader["known-flaky"],
            flakyLimit: reader["flaky-limit"])
        file.oneShot = reader.read("one-shot", oneShot)
        file.dialIn = reader.read("dial-in", dialIn)
        checkMode(file, reader)
        return name == nil ? nil : file
    }

    /// How the client is started.
    private func starting(_ file: inout ClientFile, _ reader: MappingReader) {
        if let node = reader["command"] {
            file.command = commandWords(node).map { Placed($0, node.place) }
        } else if file.mode == .stdio {
            _ = reader.require("command") { $0 }
        } else if file.mode == .oneShot {
            _ = reader.require("one-shot") { $0 }
        }
        file.environment = reader.read("environment", environment) ?? [:]
    }

    /// What is expected of it.
    private func expected(_ file: inout ClientFile, _ reader: MappingReader) {
        file.profile = reader.read("profile") { node in
            self.nonEmpty(node, "profile").map { Placed($0, node.place) }
        }
        file.suite = reader.read("suite") { node in
            self.suiteVersion(node).map { Placed($0, node.place) }
        }
        file.capabilities = reader.read("capabilities") { node in
            self.capabilities(node).map { Placed($0, node.place) }
        }
        file.timeScale = reader.read("time-scale", timeScale)
        file.deadline = reader.read("deadline", clientDeadline)
    }

    /// The blocks of other modes would be read by nobody.
    private func checkMode(_ file: ClientFile, _ reader: MappingReader) {
        for mode in [ClientFile.Mode.oneShot, .dialIn]
        where file.mode != mode && reader.has(mode.rawValue) {
            error(
                "'\(mode.rawValue)' goes with 'mode: \(mode.rawValue)', and this client's mode is "
                    + "'\(file.mode.rawValue)'", at: reader.keyPlace(mode.rawValue))
        }
    }

    // MARK: Values

    /// One line that fits into a report.
    private func clientName(_ node: YAMLNode) -> String? {
        guard let text = nonEmpty(node, "name") else { return nil }
        guard text.count <= 100, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            error("the name is one line of at most 100 characters", at: node.place)
            return nil
        }
        return text
    }

    private func nonEmpty(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = text(node) else { return nil }
        guard text.contains(where: { !$0.isWhitespace }) else {
            error("the \(what) is empty", at: node.place)
            return nil
        }
        return text
    }

    /// A list of words, or one text that is taken apart as a shell would.
    func commandWords(_ node: YAMLNode) -> [String]? {
        if node.mapping != nil {
            error(
                "a command is a list of words or one text, not a mapping", at: node.place)
            return nil
        }
        let words: [String]
        if let nodes = node.sequence {
            let texts = nodes.map(text)
            guard !texts.contains(nil) else { return nil }
            words = texts.compactMap(\.self)
        } else {
            guard let text = text(node), let split = split(text, node) else { return nil }
            words = split
        }
        guard let program = words.first, !program.isEmpty else {
            error("the command names no program", at: node.place)
            return nil
        }
        return words
    }

    private func split(_ text: String, _ node: YAMLNode) -> [String]? {
        do throws(CommandWords.Failure) {
            return try CommandWords(text).words
        } catch {
            let place = node.place(atOffset: error.offset)
            switch error {
            case .openQuote: self.error("the quote that begins here has no end", at: place)
            case .openBackslash: self.error("there is nothing behind this backslash", at: place)
            case .needsShell(let character, _):
                self.error(
                    "no shell reads the command, so '\(character)' means nothing here: put it in "
                        + "quotes, or write the command as [sh, -c, '...']", at: place)
            }
            return nil
        }
    }

    private func environment(_ node: YAMLNode) -> [String: String]? {
        var variables: [String: String] = [:]
        for (name, pair) in pairs(node, "'environment'") {
            guard !name.isEmpty, !name.contains("="), name != "SQUALL_CHILD" else {
                error("'\(name)' cannot be the name of a variable", at: pair.key.place)
                continue
            }
            // A variable may be there and empty.
            guard let value = pair.value.scalar else {
                error(
                    "a variable's value is one text, not \(pair.value.kindName)",
                    at: pair.value.place)
                continue
            }
            variables[name] = value
        }
        return variables
    }

    /// A version of the suite: `1.0`.
    func suiteVersion(_ node: YAMLNode) -> SuiteVersion? {
        guard let text = text(node) else { return nil }
        guard let version = SuiteVersion(text) else {
            error("'\(text)' is no suite version: 1.0", at: node.place)
            return nil
        }
        return version
    }

    private func capabilities(_ node: YAMLNode) -> Set<Capability>? {
        var found: Set<Capability> = []
        for entry in list(node) {
            guard let capability: Capability = choice(entry, "capability") else { continue }
            if !found.insert(capability).inserted {
                error("'\(capability.rawValue)' is given twice", at: entry.place)
            }
        }
        if node.sequence?.isEmpty == true {
            error("an empty list pins nothing: leave the key out or name some", at: node.place)
            return nil
        }
        return node.sequence == nil ? nil : found
    }

    private func timeScale(_ node: YAMLNode) -> Double? {
        guard let text = text(node) else { return nil }
        guard let scale = Double(text), ClientFile.timeScales.contains(scale) else {
            error("'\(text)' is no factor from 0.01 to 10", at: node.place)
            return nil
        }
        return scale
    }

    private func clientDeadline(_ node: YAMLNode) -> Duration? {
        guard let duration = duration(node) else { return nil }
        guard ClientFile.deadlines.contains(duration) else {
            error("a deadline is from 100ms to 1h", at: node.place)
            return nil
        }
        return duration
    }
}
