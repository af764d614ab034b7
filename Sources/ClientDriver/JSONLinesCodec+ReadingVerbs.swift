import StorageModel

extension JSONLinesCodec {
    /// - Parameter hasID: a command that stands inside another has none.
    static func clientCommand(
        _ value: MessageValue, path: String, hasID: Bool = false
    ) throws(MessageError) -> (MessageFields, ClientCommand) {
        let member = path.isEmpty ? "do" : "\(path).do"
        guard case .object(let members) = value, case .string(let name) = members["do"] else {
            throw MessageError(member: member, problem: "is missing")
        }
        guard let verb = ClientCommand.VerbName(rawValue: name) else {
            throw MessageError(member: member, problem: "is unknown: '\(name)'")
        }
        let shape = MessageShape(verb).adding(hasID ? [.required("id", .ids)] : [])
        let fields = try MessageFields(value, path: path, shape)
        let command = ClientCommand(
            try read(verb, fields), on: try moment(fields),
            instance: try fields.optionalString("instance"))
        return (fields, command)
    }

    private static func moment(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Moment? {
        guard let on = try fields.optionalObject("on", .moment) else { return nil }
        return ClientCommand.Moment(
            task: try on.string("task"),
            event: try on.named("event", TransferEvent.Kind.self),
            ordinal: Int(try on.optionalInteger("ordinal") ?? 1),
            atLeast: try on.optionalInteger("atLeast"))
    }

    private static func read(
        _ verb: ClientCommand.VerbName, _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Verb {
        switch verb {
        case .upload: .upload(try upload(fields))
        case .download: .download(try download(fields))
        case .pause: .pause(task: try fields.string("task"), throughSnapshot: through(fields))
        case .resume: .resume(task: try fields.string("task"), throughSnapshot: through(fields))
        case .cancel: .cancel(task: try fields.string("task"), throughSnapshot: through(fields))
        case .snapshot: .snapshot(task: try fields.string("task"))
        case .observe: .observe(try observe(fields))
        case .unobserve: .unobserve(try unobserve(fields))
        case .getMetadata: .getMetadata(try place(fields))
        case .updateMetadata:
            .updateMetadata(
                try place(fields),
                set: try metadataChange(fields.value("set"), at: fields.at("set")))
        case .delete: .delete(try place(fields))
        case .url: .url(try place(fields))
        case .list:
            .list(
                try place(fields, "prefix"),
                maxResults: try fields.optionalInteger("maxResults").map { Int($0) },
                pageToken: try fields.optionalString("pageToken"))
        case .listAll: .listAll(try place(fields, "prefix"))
        case .fetch: .fetch(url: try fields.string("url"), into: try fields.string("into"))
        case .image: .image(try place(fields), into: try fields.string("into"))
        case .reference: .reference(try reference(fields))
        case .release: .release(task: try fields.string("task"))
        case .token: .token(signedIn: try fields.flag("signedIn"))
        case .purge: .purge(task: try fields.string("task"))
        case .restart: .restart
        case .burst: .burst(try commands(fields))
        case .parallel: .parallel(try commands(fields))
        }
    }

    static func place(
        _ fields: MessageFields, _ name: String = "object"
    ) throws(MessageError) -> ClientCommand.ObjectPlace {
        ClientCommand.ObjectPlace(
            bucket: try fields.optionalString("bucket"), path: try fields.string(name))
    }

    private static func through(_ fields: MessageFields) -> Bool { fields.has("through") }

    private static func reference(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.ReferenceText {
        fields.chosen == "path"
            ? .path(try fields.string("path")) : .url(try fields.string("url"))
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
        if fields.chosen == "observer" { return .handle(try fields.string("observer")) }
        return .task(
            try fields.string("task"), events: fields.has("events") ? try events(fields) : nil)
    }

    private static func events(
        _ fields: MessageFields
    ) throws(MessageError) -> [TransferEvent.Kind] {
        try fields.strings("events").compactMap(TransferEvent.Kind.init)
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
