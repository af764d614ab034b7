import StorageModel

extension JSONLinesCodec {
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
        upload.conditions = try fields.texts("conditions")
        upload.continues = try fields.optionalString("continues")
        upload.isObserved = try fields.flag("recorder", absent: true)
        upload.hasCompletion = try fields.flag("completion", absent: true)
        return upload
    }

    private static func source(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Upload.Source {
        switch fields.chosen {
        case "data": return .data(.file(path: try fields.string("data")))
        case "file": return .file(path: try fields.string("file"))
        default:
            let stream = try fields.object("stream", .stream)
            var gaps: [ClientCommand.Upload.Stream.Gap] = []
            for gap in try stream.objects("gaps", .gap) {
                gaps.append(
                    .init(at: try gap.integer("at"), length: try gap.milliseconds("ms")))
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
        download.isObserved = try fields.flag("recorder", absent: true)
        download.hasCompletion = try fields.flag("completion", absent: true)
        if let reading = try fields.optionalObject("reading", .reading) {
            download.reading = .init(
                stopAt: try reading.integer("stopAt"), length: try reading.milliseconds("ms"))
        }
        return download
    }

    private static func target(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientCommand.Download.Target {
        if fields.chosen == "file" { return .file(path: try fields.string("file")) }
        let memory = try fields.object("memory", .memory)
        return .memory(
            maxSize: try memory.integer("maxSize"), into: try memory.string("into"))
    }
}
