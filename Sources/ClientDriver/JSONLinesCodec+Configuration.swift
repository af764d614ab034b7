import StorageModel

extension JSONLinesCodec {
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
        settings.chunkSize = try fields.optionalInteger("chunkSize")
        settings.maxUploadRetryTime = try fields.milliseconds("maxUploadRetryMs")
        settings.maxDownloadRetryTime = try fields.milliseconds("maxDownloadRetryMs")
        settings.maxOperationRetryTime = try fields.milliseconds("maxOperationRetryMs")
        settings.idleTimeout = try fields.milliseconds("idleMs")
        settings.connections = try fields.optionalInteger("connections").map { Int($0) }
        if try fields.flag("signedIn") { settings.tokens = [askedFor] }
        settings.instances = try fields.texts("instances")
        return ClientConfiguration(
            run: Int(try fields.integer("run")), host: try fields.string("host"),
            port: UInt16(clamping: try fields.integer("port")),
            bucket: try fields.string("bucket"), settings: settings,
            workingDirectory: try fields.string("directory"),
            timeScale: try fields.number("timeScale"),
            seed: UInt64(clamping: try fields.integer("seed")))
    }

    /// Stands for a script of tokens that the client is not told: it has to ask.
    private static let askedFor = ClientSettings.TokenStep(answer: .fail("not asked for"))
}
