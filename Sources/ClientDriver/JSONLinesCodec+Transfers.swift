import StorageModel

extension JSONLinesCodec {
    static let uploadMembers =
        placeMembers + [
            "task", "data", "file", "stream", "metadata", "conditions", "continues", "recorder",
            "completion",
        ]

    static let downloadMembers =
        placeMembers + ["task", "memory", "file", "reading", "recorder", "completion"]

    static func value(_ upload: ClientCommand.Upload) -> [String: MessageValue?] {
        value(upload.object).merging([
            "task": .string(upload.task), "metadata": upload.metadata.map { metadata($0) },
            "conditions": upload.conditions.isEmpty ? nil : texts(upload.conditions),
            "continues": upload.continues.map(MessageValue.string),
            "recorder": upload.isObserved ? nil : .bool(false),
            "completion": upload.hasCompletion ? nil : .bool(false),
        ]) { $1 }.merging(value(upload.source)) { $1 }
    }

    private static func value(_ source: ClientCommand.Upload.Source) -> [String: MessageValue?] {
        switch source {
        case .data(let bytes): ["data": .string(path(bytes))]
        case .file(let path): ["file": .string(path)]
        case .stream(let stream):
            [
                "stream": object([
                    "path": .string(path(stream.bytes)),
                    "rewinds": stream.rewinds ? .bool(true) : nil,
                    "gaps": .array(
                        stream.gaps.map {
                            object(["at": .integer($0.at), "ms": milliseconds($0.length)])
                        }),
                ])
            ]
        }
    }

    private static func path(_ bytes: ClientCommand.GivenBytes) -> String {
        guard case .file(let path) = bytes else {
            preconditionFailure("bytes for a child are written to a file first")
        }
        return path
    }

    static func value(_ download: ClientCommand.Download) -> [String: MessageValue?] {
        var members = value(download.object)
        members["task"] = .string(download.task)
        members["recorder"] = download.isObserved ? nil : .bool(false)
        members["completion"] = download.hasCompletion ? nil : .bool(false)
        members["reading"] = download.reading.map {
            object(["stopAt": .integer($0.stopAt), "ms": milliseconds($0.length)])
        }
        switch download.target {
        case .memory(let maxSize, let path):
            members["memory"] = object(["maxSize": .integer(maxSize), "into": .string(path)])
        case .file(let path): members["file"] = .string(path)
        }
        return members
    }

    // MARK: Reading

    static func upload(_ fields: MessageFields) throws(MessageError) -> ClientCommand.Upload {
        var upload = ClientCommand.Upload(
            task: try fields.string("task"), object: try place(fields),
            source: try source(fields))
        upload.metadata = try optionalMetadata(fields)
        if fields.has("conditions") { upload.conditions = try fields.texts("conditions") }
        upload.continues = try fields.optionalString("continues")
        upload.isObserved = try flagUnlessFalse(fields, "recorder")
        upload.hasCompletion = try flagUnlessFalse(fields, "completion")
        return upload
    }

    private static func source(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Upload.Source {
        switch try fields.exactlyOne(of: ["data", "file", "stream"]) {
        case "data": return .data(.file(path: try fields.string("data")))
        case "file": return .file(path: try fields.string("file"))
        default:
            let stream = try MessageFields(
                fields.value("stream"), path: fields.at("stream"),
                known: ["path", "rewinds", "gaps"])
            var gaps: [ClientCommand.Upload.Stream.Gap] = []
            for (index, value) in try stream.list("gaps").enumerated() {
                let gap = try MessageFields(
                    value, path: "\(stream.at("gaps"))[\(index)]", known: ["at", "ms"])
                gaps.append(
                    .init(
                        at: try gap.integer("at", in: byteCounts),
                        length: try gap.milliseconds("ms")))
            }
            return .stream(
                .init(
                    bytes: .file(path: try stream.string("path")),
                    rewinds: try stream.flag("rewinds"), gaps: gaps))
        }
    }

    static func download(_ fields: MessageFields) throws(MessageError) -> ClientCommand.Download {
        var download = ClientCommand.Download(
            task: try fields.string("task"), object: try place(fields),
            target: try target(fields))
        download.isObserved = try flagUnlessFalse(fields, "recorder")
        download.hasCompletion = try flagUnlessFalse(fields, "completion")
        if let value = fields.optional("reading") {
            let reading = try MessageFields(
                value, path: fields.at("reading"), known: ["stopAt", "ms"])
            download.reading = .init(
                stopAt: try reading.integer("stopAt", in: byteCounts),
                length: try reading.milliseconds("ms"))
        }
        return download
    }

    private static func target(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Download.Target {
        if try fields.exactlyOne(of: ["memory", "file"]) == "file" {
            return .file(path: try fields.string("file"))
        }
        let memory = try MessageFields(
            fields.value("memory"), path: fields.at("memory"), known: ["maxSize", "into"])
        return .memory(
            maxSize: try memory.integer("maxSize", in: byteCounts),
            into: try memory.string("into"))
    }

    /// Absent: true.
    private static func flagUnlessFalse(
        _ fields: MessageFields, _ name: String
    ) throws(MessageError) -> Bool {
        fields.optional(name) == nil ? true : try fields.flag(name)
    }
}
