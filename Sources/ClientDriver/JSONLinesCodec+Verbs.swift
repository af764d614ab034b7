import StorageModel

extension JSONLinesCodec {
    static func value(_ command: ClientCommand) -> [String: MessageValue?] {
        value(command.verb).merging([
            "do": .string(command.verb.name), "instance": command.instance.map(MessageValue.string),
            "on": command.on.map(value),
        ]) { $1 }
    }

    private static func value(_ moment: ClientCommand.Moment) -> MessageValue {
        object([
            "task": .string(moment.task), "event": .string(moment.event.rawValue),
            "ordinal": moment.ordinal == 1 ? nil : .integer(Int64(moment.ordinal)),
            "atLeast": moment.atLeast.map(MessageValue.integer),
        ])
    }

    private static func value(_ verb: ClientCommand.Verb) -> [String: MessageValue?] {
        switch verb {
        case .upload(let upload): value(upload)
        case .download(let download): value(download)
        case .pause(let task, let through), .resume(let task, let through),
            .cancel(let task, let through):
            ["task": .string(task), "through": through ? .string("snapshot") : nil]
        case .snapshot(let task), .release(let task), .purge(let task): ["task": .string(task)]
        case .observe(let observe):
            [
                "task": .string(observe.task), "observer": .string(observe.name),
                "events": events(observe.events), "renew": observe.renews ? .bool(true) : nil,
            ]
        case .unobserve(.handle(let name)): ["observer": .string(name)]
        case .unobserve(.task(let task, let kinds)):
            ["task": .string(task), "events": kinds.map(events)]
        case .getMetadata(let place), .delete(let place), .url(let place): value(place)
        case .updateMetadata(let place, let fields):
            value(place).merging(["set": metadata(fields)]) { $1 }
        case .list(let place, let maxResults, let pageToken):
            value(place, "prefix").merging([
                "maxResults": maxResults.map { .integer(Int64($0)) },
                "pageToken": pageToken.map(MessageValue.string),
            ]) { $1 }
        case .listAll(let place): value(place, "prefix")
        case .fetch(let url, let path): ["url": .string(url), "into": .string(path)]
        case .image(let place, let path): value(place).merging(["into": .string(path)]) { $1 }
        case .reference(.path(let path)): ["path": .string(path)]
        case .reference(.url(let url)): ["url": .string(url)]
        case .token(let signedIn): ["signedIn": .bool(signedIn)]
        case .restart: [:]
        case .burst(let commands), .parallel(let commands):
            ["commands": .array(commands.map { object(value($0)) })]
        }
    }

    static func value(
        _ place: ClientCommand.ObjectPlace, _ name: String = "object"
    ) -> [String: MessageValue?] {
        [name: .string(place.path), "bucket": place.bucket.map(MessageValue.string)]
    }

    private static func events(_ kinds: [TransferEvent.Kind]) -> MessageValue {
        .array(kinds.map { .string($0.rawValue) })
    }
}
