import StorageModel

extension JSONLinesCodec {
    static let configurationMembers = [
        "run", "host", "port", "bucket", "directory", "timeScale", "seed", "chunkSize",
        "maxUploadRetryMs", "maxDownloadRetryMs", "maxOperationRetryMs", "idleMs", "connections",
        "signedIn", "instances",
    ]

    static func value(_ configuration: ClientConfiguration) -> [String: MessageValue?] {
        let settings = configuration.settings
        return [
            "run": .integer(Int64(configuration.run)), "host": .string(configuration.host),
            "port": .integer(Int64(configuration.port)), "bucket": .string(configuration.bucket),
            "directory": .string(configuration.workingDirectory),
            "timeScale": number(configuration.timeScale),
            // Not every language has whole numbers of 64 bits.
            "seed": .integer(Int64(configuration.seed & ((1 << 53) - 1))),
            "chunkSize": settings.chunkSize.map(MessageValue.integer),
            "maxUploadRetryMs": milliseconds(settings.maxUploadRetryTime),
            "maxDownloadRetryMs": milliseconds(settings.maxDownloadRetryTime),
            "maxOperationRetryMs": milliseconds(settings.maxOperationRetryTime),
            "idleMs": milliseconds(settings.idleTimeout),
            "connections": settings.connections.map { .integer(Int64($0)) },
            "signedIn": .bool(!settings.tokens.isEmpty),
            "instances": settings.instances.isEmpty ? nil : texts(settings.instances),
        ]
    }

    private static func number(_ number: Double) -> MessageValue {
        Int64(exactly: number).map(MessageValue.integer) ?? .number(number)
    }

    static func configuration(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientConfiguration {
        var settings = ClientSettings()
        settings.chunkSize = try fields.optionalInteger("chunkSize", in: 1...(1 << 53))
        settings.maxUploadRetryTime = try fields.milliseconds("maxUploadRetryMs")
        settings.maxDownloadRetryTime = try fields.milliseconds("maxDownloadRetryMs")
        settings.maxOperationRetryTime = try fields.milliseconds("maxOperationRetryMs")
        settings.idleTimeout = try fields.milliseconds("idleMs")
        settings.connections = try fields.optionalInteger("connections", in: 1...65535)
            .map(Int.init)
        if try fields.flag("signedIn") { settings.tokens = [askedFor] }
        if fields.has("instances") { settings.instances = try fields.texts("instances") }
        let timeScale = try fields.number("timeScale")
        guard timeScale > 0, timeScale <= 1000 else {
            throw fields.wrong("timeScale", "is \(timeScale), not above 0 and at most 1000")
        }
        return ClientConfiguration(
            run: Int(try fields.integer("run", in: ids)), host: try fields.string("host"),
            port: UInt16(try fields.integer("port", in: 1...65535)),
            bucket: try fields.string("bucket"), settings: settings,
            workingDirectory: try fields.string("directory"), timeScale: timeScale,
            seed: UInt64(try fields.integer("seed", in: 0...(1 << 53))))
    }

    /// Stands for a script of tokens that the client is not told: it has to ask.
    private static let askedFor = ClientSettings.TokenStep(answer: .fail("not asked for"))
}
