import StorageModel

extension JSONLinesCodec {
    /// Every verb that `perform` sends.
    static var verbs: [String] { membersOfVerb.keys.sorted() }

    private static let membersOfVerb: [String: [String]] = [
        "upload": uploadMembers, "download": downloadMembers,
        "pause": ["task", "through"], "resume": ["task", "through"],
        "cancel": ["task", "through"], "snapshot": ["task"],
        "observe": ["task", "observer", "events", "renew"],
        "unobserve": ["task", "observer", "events"],
        "get-metadata": placeMembers, "update-metadata": placeMembers + ["set"],
        "delete": placeMembers, "url": placeMembers,
        "list": ["prefix", "bucket", "maxResults", "pageToken"],
        "list-all": ["prefix", "bucket"], "fetch": ["url", "into"],
        "reference": ["path", "url"], "release": ["task"], "token": ["signedIn"],
        "purge": ["task"], "restart": [], "burst": ["commands"], "parallel": ["commands"],
    ]

    static let placeMembers = ["object", "bucket"]

    static func clientCommand(
        _ value: MessageValue, path: String, extra: [String] = []
    ) throws(MessageError) -> (MessageFields, ClientCommand) {
        guard case .object(let members) = value, case .string(let verb) = members["do"] else {
            throw MessageError(
                member: path.isEmpty ? "do" : "\(path).do", problem: "is missing")
        }
        guard let known = membersOfVerb[verb] else {
            throw MessageError(
                member: path.isEmpty ? "do" : "\(path).do", problem: "is unknown: '\(verb)'")
        }
        let fields = try MessageFields(
            value, path: path, known: ["do", "on", "instance"] + extra + known)
        let command = ClientCommand(
            try read(verb, fields), on: try moment(fields),
            instance: try fields.optionalString("instance"))
        return (fields, command)
    }

    private static func moment(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Moment? {
        guard let value = fields.optional("on") else { return nil }
        let on = try MessageFields(
            value, path: fields.at("on"), known: ["task", "event", "ordinal", "atLeast"])
        return ClientCommand.Moment(
            task: try on.string("task"),
            event: try on.named("event", TransferEvent.Kind.self),
            ordinal: Int(try on.optionalInteger("ordinal", in: 1...(1 << 31)) ?? 1),
            atLeast: try on.optionalInteger("atLeast", in: byteCounts))
    }

    private static func read(
        _ verb: String, _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Verb {
        switch verb {
        case "upload": .upload(try upload(fields))
        case "download": .download(try download(fields))
        case "pause": .pause(task: try fields.string("task"), throughSnapshot: try through(fields))
        case "resume":
            .resume(task: try fields.string("task"), throughSnapshot: try through(fields))
        case "cancel":
            .cancel(task: try fields.string("task"), throughSnapshot: try through(fields))
        case "snapshot": .snapshot(task: try fields.string("task"))
        case "observe": .observe(try observe(fields))
        case "unobserve": .unobserve(try unobserve(fields))
        case "release": .release(task: try fields.string("task"))
        case "purge": .purge(task: try fields.string("task"))
        case "token": .token(signedIn: try fields.flag("signedIn"))
        case "restart": .restart
        case "burst": .burst(try commands(fields))
        case "parallel": .parallel(try commands(fields))
        default: try readPlaceVerb(verb, fields)
        }
    }

    private static func readPlaceVerb(
        _ verb: String, _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Verb {
        switch verb {
        case "get-metadata": .getMetadata(try place(fields))
        case "update-metadata":
            .updateMetadata(
                try place(fields),
                set: try metadataChange(fields.value("set"), at: fields.at("set")))
        case "delete": .delete(try place(fields))
        case "url": .url(try place(fields))
        case "list":
            .list(
                try place(fields, "prefix"),
                // Out of range on purpose is what some scenarios ask for.
                maxResults: try fields.optionalInteger("maxResults", in: -(1 << 31)...(1 << 31))
                    .map(Int.init),
                pageToken: try fields.optionalString("pageToken"))
        case "list-all": .listAll(try place(fields, "prefix"))
        case "fetch": .fetch(url: try fields.string("url"), into: try fields.string("into"))
        default:
            try fields.exactlyOne(of: ["path", "url"]) == "path"
                ? .reference(.path(try fields.string("path")))
                : .reference(.url(try fields.string("url")))
        }
    }

    static func place(
        _ fields: MessageFields, _ name: String = "object"
    ) throws(MessageError) -> ClientCommand.ObjectPlace {
        ClientCommand.ObjectPlace(
            bucket: try fields.optionalString("bucket"), path: try fields.string(name))
    }

    private static func through(_ fields: MessageFields) throws(MessageError) -> Bool {
        guard let way = try fields.optionalString("through") else { return false }
        guard way == "snapshot" else {
            throw fields.wrong("through", "is '\(way)', not 'snapshot'")
        }
        return true
    }

    private static func observe(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Observe {
        ClientCommand.Observe(
            task: try fields.string("task"), name: try fields.string("observer"),
            events: try events(fields), renews: try fields.flag("renew"))
    }

    private static func unobserve(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Unobserve {
        if try fields.exactlyOne(of: ["observer", "task"]) == "observer" {
            return .handle(try fields.string("observer"))
        }
        return .task(
            try fields.string("task"),
            events: fields.optional("events") == nil ? nil : try events(fields))
    }

    private static func events(
        _ fields: MessageFields
    ) throws(MessageError) -> [TransferEvent.Kind] {
        var kinds: [TransferEvent.Kind] = []
        for name in try fields.strings("events") {
            guard let kind = TransferEvent.Kind(rawValue: name) else {
                throw fields.wrong("events", "has '\(name)', which is no event")
            }
            kinds.append(kind)
        }
        return kinds
    }

    private static func commands(
        _ fields: MessageFields
    ) throws(MessageError) -> [ClientCommand] {
        var commands: [ClientCommand] = []
        for (index, value) in try fields.list("commands").enumerated() {
            let path = "\(fields.at("commands"))[\(index)]"
            commands.append(try clientCommand(value, path: path).1)
        }
        return commands
    }
}
