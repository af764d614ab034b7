import StorageModel

extension ScenarioDecoder {
    func upload(_ node: YAMLNode, _ reader: MappingReader) -> UploadStep? {
        guard let object = objectAddress(node),
            let key = reader.one(of: ["data", "file", "stream"]), let value = reader[key],
            let source = source(key, value)
        else { return nil }
        var step = UploadStep(object: object, source: source)
        if let metadata = reader["metadata"] {
            let fields = MappingReader(
                metadata, "'metadata'", keys: Shape.metadata.keys, self)
            step.metadata = fields.map(metadataFields) ?? step.metadata
        }
        if let condition = reader["if"] {
            step.ifGeneration = MappingReader(
                condition, "'if'", keys: Shape.precondition.keys, self)?
                .require("generation") { integer($0) }.map(Int64.init)
            require(.preconditions, at: reader.keyPlace("if"))
        }
        if let task = reader["continue"] {
            step.continues = continuedTask(task)
            require(.continuedUpload, at: reader.keyPlace("continue"))
        }
        step.recording = recording(reader)
        return step
    }

    private func source(_ key: String, _ value: YAMLNode) -> UploadStep.Source? {
        switch key {
        case "data": content(value).map { .data($0) }
        case "stream": stream(value).map { .stream($0) }
        default:
            value.mapping != nil
                ? content(value).map { .file($0) } : fileName(value).map { .localFile($0) }
        }
    }

    private func stream(_ node: YAMLNode) -> StreamSource? {
        guard let reader = MappingReader(node, "'stream'", keys: Shape.stream.keys, self),
            let content = content(reader)
        else { return nil }
        var stream = StreamSource(content: content)
        stream.canRewind = reader.read("rewind", boolean) ?? true
        stream.gaps = reader.read("gaps") { list($0).compactMap { gap($0, content) } } ?? []
        for (one, next) in zip(stream.gaps, stream.gaps.dropFirst()) where one.at >= next.at {
            error(
                "the gaps stand in the order of their bytes, and none twice",
                at: reader.keyPlace("gaps"))
        }
        return stream
    }

    private func gap(_ node: YAMLNode, _ content: Content) -> StreamSource.Gap? {
        guard let reader = MappingReader(node, "a gap", keys: Shape.gap.keys, self),
            let at = reader.require("at", { size($0) }),
            let duration = reader.require("for", positiveDuration)
        else { return nil }
        if let size = content.givenSize, at > size {
            error(
                "a gap at \(at.sizeText) lies beyond the \(size.sizeText) of this stream",
                at: reader["at"]?.place ?? node.place)
        }
        return StreamSource.Gap(at: at, duration: duration)
    }

    private func continuedTask(_ node: YAMLNode) -> String? {
        guard let name = taskName(node) else { return nil }
        if names.task(name)?.kind == .download {
            error("'\(name)' is a download; an upload continues an upload", at: node.place)
        }
        return name
    }

    func recording(_ reader: MappingReader) -> TaskRecording {
        var recording = TaskRecording()
        for key in ["observers", "completion"] {
            guard let node = reader[key], let word = text(node) else { continue }
            guard word == "none" else {
                unknown("value", word, known: ["none"], at: node.place)
                continue
            }
            if key == "observers" {
                recording.hasObservers = false
            } else {
                recording.hasCompletion = false
            }
        }
        return recording
    }

    func download(_ node: YAMLNode, _ reader: MappingReader) -> DownloadStep? {
        guard let object = objectAddress(node), let to = reader.require("to", text) else {
            return nil
        }
        let destination: DownloadStep.Destination?
        switch to {
        case "memory":
            for key in ["existing", "destination"] where reader.has(key) {
                error("'\(key)' goes with 'to: file' alone", at: reader.keyPlace(key))
            }
            destination = reader.require("maxSize") { size($0) }.map { .memory(maxSize: $0) }
        case "file":
            if reader.has("maxSize") {
                error("'maxSize' goes with 'to: memory' alone", at: reader.keyPlace("maxSize"))
            }
            destination = fileDestination(reader)
        default:
            unknown(
                "destination", to, known: ["memory", "file"], at: reader["to"]?.place ?? node.place)
            return nil
        }
        guard let destination else { return nil }
        var step = DownloadStep(object: object, destination: destination)
        step.reading = reader.read("reading", slowReading)
        step.recording = recording(reader)
        return step
    }

    private func fileDestination(_ reader: MappingReader) -> DownloadStep.Destination {
        let obstacle = reader.read("destination") {
            choice($0, "destination", of: DownloadStep.Obstacle.self)
        }
        if obstacle != nil { require(.destinationObstacle, at: reader.keyPlace("destination")) }
        return .file(existing: reader.read("existing") { content($0) }, obstacle)
    }

    private func slowReading(_ node: YAMLNode) -> DownloadStep.SlowReading? {
        guard let reader = MappingReader(node, "'reading'", keys: Shape.reading.keys, self),
            let stopAt = reader.require("stop-at", { size($0) }),
            let duration = reader.require("for", positiveDuration)
        else { return nil }
        return DownloadStep.SlowReading(stopAt: stopAt, duration: duration)
    }

    func localAction(_ node: YAMLNode) -> LocalAction? {
        let verbs = [
            "create", "delete", "truncate", "grow", "forbid", "directory", "link", "purge",
        ]
        guard let reader = MappingReader(node, "'local'", keys: Shape.localAction.keys, self),
            let verb = reader.one(of: verbs)
        else { return nil }
        checkLocalKeys(verb, reader)
        if verb == "purge" { return reader.read(verb, taskName).map { .purge(task: $0) } }
        guard let name = reader.read(verb, fileName) else { return nil }
        switch verb {
        case "create":
            return reader.require("content") { content($0) }.map { .create(name, $0) }
        case "delete": return .delete(name)
        case "truncate":
            return reader.require("size") { size($0) }.map { .truncate(name, size: $0) }
        case "grow": return reader.require("by") { size($0) }.map { .grow(name, by: $0) }
        case "forbid": return .forbid(name)
        case "directory": return .directory(name)
        default: return reader.require("to", fileName).map { .link(name, to: $0) }
        }
    }

    private func checkLocalKeys(_ verb: String, _ reader: MappingReader) {
        let partners = ["content": "create", "size": "truncate", "by": "grow", "to": "link"]
        for (key, partner) in partners.sorted(by: { $0.key < $1.key })
        where reader.has(key) && verb != partner {
            error("'\(key)' goes with '\(partner)' alone", at: reader.keyPlace(key))
        }
    }
}
