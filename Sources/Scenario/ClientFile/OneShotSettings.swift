package import ClientDriver
package import StorageModel

/// What `one-shot` says: how a command-line tool's arguments are made and its ends are read.
package struct OneShotSettings: Sendable {
    package var place: SourcePlace
    /// Without what other keys of the file say: name, environment, folder, capabilities.
    package var tool: OneShotTool

    package init(place: SourcePlace) {
        self.place = place
        tool = OneShotTool(name: "")
    }
}

extension ScenarioDecoder {
    static let oneShotKeys =
        OneShotTool.Work.allCases.map(\.rawValue) + ["version", "exits", "status-after", "cancel"]

    func oneShot(_ node: YAMLNode) -> OneShotSettings? {
        guard let reader = MappingReader(node, "'one-shot'", keys: Self.oneShotKeys, self) else {
            return nil
        }
        var settings = OneShotSettings(place: node.place)
        for work in OneShotTool.Work.allCases {
            settings.tool.commands[work] = reader.read(work.rawValue, template)
        }
        if let fetch = settings.tool.commands[.fetch], let node = reader["fetch"],
            !fetch.uses(.url) || !fetch.uses(.file)
        {
            error("'fetch' needs '{url}', and '{file}' for what it gets", at: node.place)
        }
        if !reader.has("upload"), !reader.has("download") {
            error("'one-shot' needs 'upload' or 'download'", at: node.place)
        }
        settings.tool.version = reader.read("version", commandWords).map { ChildCommand($0) }
        settings.tool.exits = reader.read("exits", exits) ?? [:]
        settings.tool.statusAfter = reader.read("status-after", text)
        settings.tool.cancel = reader.read("cancel") { choice($0, "signal") }
        let needsStatus = settings.tool.exits.values.contains(.status)
        if needsStatus, settings.tool.statusAfter == nil {
            error(
                "an exit code that means the status of the answer needs 'status-after', the text "
                    + "of the tool's error output behind which that status stands", at: node.place)
        }
        return settings
    }

    // MARK: Arguments

    /// A list of arguments; a list inside it is a group that may be left out.
    private func template(_ node: YAMLNode) -> OneShotTemplate? {
        guard let entries = node.sequence, !entries.isEmpty else {
            error("the arguments are a list that begins with the program", at: node.place)
            return nil
        }
        if entries[0].sequence != nil {
            error("the program cannot be left out", at: entries[0].place)
            return nil
        }
        let groups = entries.compactMap { entry -> OneShotTemplate.Group? in
            let arguments = (entry.sequence ?? [entry]).compactMap(argument)
            return OneShotTemplate.Group(arguments, isOptional: entry.sequence != nil)
        }
        return OneShotTemplate(groups)
    }

    private func argument(_ node: YAMLNode) -> [OneShotTemplate.Part]? {
        guard let text = text(node) else { return nil }
        do throws(OneShotTemplate.Failure) {
            return try OneShotTemplate.parts(of: text)
        } catch {
            switch error {
            case .openBrace(let offset):
                self.error(
                    "the brace that begins here has no end; '{{' stands for the character",
                    at: node.place(atOffset: offset))
            case .unknown(let word, let offset):
                unknown(
                    "placeholder", word,
                    known: OneShotTemplate.Placeholder.allCases.map(\.rawValue),
                    at: node.place(atOffset: offset))
            }
            return nil
        }
    }

    // MARK: Exit codes

    private func exits(_ node: YAMLNode) -> [Int32: OneShotTool.Ending] {
        var exits: [Int32: OneShotTool.Ending] = [:]
        for (name, pair) in pairs(node, "'exits'") {
            guard let code = Int32(name), (0...255).contains(code) else {
                error("'\(name)' is no exit code from 0 to 255", at: pair.key.place)
                continue
            }
            exits[code] = ending(pair.value)
        }
        return exits
    }

    private func ending(_ node: YAMLNode) -> OneShotTool.Ending? {
        if let word = node.scalar, node.mapping == nil {
            switch word {
            case "success": return .success
            case "status": return .status
            default:
                let code: ErrorCode? = choice(node, "error code")
                return code.map { .error($0, nil) }
            }
        }
        guard
            let reader = MappingReader(node, "an exit code", keys: ["code", "transport"], self)
        else { return nil }
        let code: ErrorCode? = reader.require("code") { choice($0, "error code") }
        let fault: TransportFault? = reader.read("transport") { choice($0, "transport fault") }
        return code.map { .error($0, fault) }
    }
}
