import StorageModel

// What is answered when its result is there, and what arguments can name.
extension OneShotDriver {
    func operate(
        _ verb: ClientCommand.Verb, _ reply: @escaping (ClientReply) -> Void
    ) {
        var values: [OneShotTemplate.Placeholder: String]
        let work: OneShotTool.Work
        switch verb {
        case .getMetadata(let place): (work, values) = (.getMetadata, places(place))
        case .updateMetadata(let place, let fields):
            (work, values) = (.updateMetadata, places(place))
            values[.metadata] = JSONLinesCodec.metadata(fields).line
        case .delete(let place): (work, values) = (.delete, places(place))
        case .url(let place): (work, values) = (.url, places(place))
        case .list(let place, let maxResults, let pageToken):
            (work, values) = (.list, places(place))
            values[.maxResults] = maxResults.map(String.init)
            values[.pageToken] = pageToken
        case .listAll(let place): (work, values) = (.listAll, places(place))
        case .fetch(let url, let path): (work, values) = (.fetch, [.url: url, .file: path])
        default: return refuse("it has no '\(verb.name)'", reply)
        }
        guard tool.commands[work] != nil else {
            return refuse("it has no '\(work.rawValue)'", reply)
        }
        withWords(
            work, values, refused: { reply(.error($0)) },
            then: { [weak self] words in self?.operate(work, words, values[.file], reply) })
    }

    /// - Parameter file: that the tool was told to write, where it was told one.
    private func operate(
        _ work: OneShotTool.Work, _ words: [String], _ file: String?,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        do throws(LinkFailure) {
            try start(child(words)) { [weak self] report in
                guard let self, scenario != nil else { return reply(.lost) }
                guard case .exited(let code) = report.ending else {
                    misbehaved(Self.misbehaviour(report.ending, work.rawValue))
                    return reply(.lost)
                }
                if let error = tool.error(
                    exit: code, output: report.output, errorOutput: report.errorOutput)
                {
                    return reply(.error(error))
                }
                answer(work, report.output, file, reply)
            }
        } catch {
            misbehaved(.notStarted(command: words.joined(separator: " "), problem: error.problem))
            soon { reply(.lost) }
        }
    }

    private func answer(
        _ work: OneShotTool.Work, _ output: [UInt8], _ file: String?,
        _ reply: (ClientReply) -> Void
    ) {
        var wanted = "no JSON"
        switch work {
        case .upload, .download, .delete: return reply(.result(.done))
        case .url:
            let text = String(decoding: output, as: UTF8.self)
            let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            return reply(.result(.url(line)))
        case .fetch:
            if let file, let head = OneShotTool.head(output) {
                return reply(
                    .result(.fetched(.init(status: head.status, headers: head.headers, path: file)))
                )
            }
            wanted = "no head of an answer"
        case .getMetadata, .updateMetadata:
            if let metadata = Self.metadata(output) { return reply(.result(.metadata(metadata))) }
        case .list, .listAll:
            if let page = Self.page(output) { return reply(.result(.list(page))) }
        }
        let line = LineBuffer.quoted(Array(output.prefix(300)))
        misbehaved(.garbage(line: line, problem: "the output of '\(work.rawValue)' is \(wanted)"))
        reply(.lost)
    }

    /// The server's own form of a page, or the protocol's.
    private static func page(_ output: [UInt8]) -> ClientResult.Page? {
        guard case .object(let members)? = MessageValue(parsing: output) else { return nil }
        func texts(_ key: String) -> [String] {
            guard case .array(let entries)? = members[key] else { return [] }
            return entries.compactMap { entry in
                switch entry {
                case .string(let text): text.hasSuffix("/") ? String(text.dropLast()) : text
                case .object(let fields):
                    if case .string(let name)? = fields["name"] { name } else { nil }
                default: nil
                }
            }
        }
        var token: String?
        if case .string(let text)? = members["nextPageToken"] { token = text }
        return ClientResult.Page(
            items: texts("items"), prefixes: texts("prefixes"), nextPageToken: token)
    }

    /// What every command can name.
    func places(
        _ place: ClientCommand.ObjectPlace
    ) -> [OneShotTemplate.Placeholder: String] {
        guard let configuration = scenario?.configuration else { return [:] }
        let bucket = place.bucket ?? configuration.bucket
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        let settings = configuration.settings
        let folder = place.path.isEmpty || place.path.hasSuffix("/") ? place.path : place.path + "/"
        var values: [OneShotTemplate.Placeholder: String] = [
            .host: configuration.host, .port: String(configuration.port), .bucket: bucket,
            .object: place.path, .objectEscaped: PercentEncoding.encodeSegment(place.path),
            .base: "http://\(host):\(configuration.port)/v0/b/"
                + PercentEncoding.encodeSegment(bucket) + "/o",
            .prefix: folder, .prefixEscaped: PercentEncoding.encodeSegment(folder),
            .idleSeconds: Self.seconds(settings.idleTimeout),
            .directory: configuration.workingDirectory, .seed: String(configuration.seed),
        ]
        values[.chunkSize] = settings.chunkSize.map(String.init)
        values[.retrySeconds] = Self.seconds(settings.maxUploadRetryTime)
        return values
    }

    /// Seconds as a decimal with milliseconds.
    private static func seconds(_ time: Duration) -> String {
        let milliseconds = Int64(time / .milliseconds(1))
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
