import FaultEngine
import StorageModel

extension ScenarioDecoder {
    /// A status, or a mapping.
    func forcedResponse(_ node: YAMLNode) -> ForcedResponse? {
        guard node.mapping != nil else {
            guard let text = text(node) else { return nil }
            if AnswerPreset(rawValue: text) != nil {
                error(
                    "a preset is written {preset: \(text)}", at: node.place,
                    suggestion: "{preset: \(text)}")
                return nil
            }
            return status(node).map { ForcedResponse(status: $0) }
        }
        guard let reader = MappingReader(node, "'respond'", keys: Shape.respond.keys, self) else {
            return nil
        }
        let preset = reader.read("preset") { choice($0, "preset", of: AnswerPreset.self) }
        let status = reader.read("status", status)
        guard
            var answer = preset.map(ForcedResponse.init(preset:))
                ?? status.map(
                    ForcedResponse.init(status:))
        else {
            if !reader.has("preset"), !reader.has("status") {
                error("'respond' needs 'status' or 'preset'", at: node.place)
            }
            return nil
        }
        if let status { answer.status = status }
        fill(&answer, reader)
        return answer
    }

    private func fill(_ answer: inout ForcedResponse, _ reader: MappingReader) {
        answer.reason = reader.read("reason", text)
        answer.isHTTP10 = reader.read("version", isHTTP10) ?? false
        answer.headers = reader.read("headers", headerValues) ?? []
        answer.retryAfter = reader.read("retry-after", retryAfter)
        answer.body = reader.read("body", answerBody)
        answer.uploadStatus = reader.read("upload-status") { choice($0, "upload status") }
    }

    private func status(_ node: YAMLNode) -> Int? { integer(node, in: 200...599) }

    private func isHTTP10(_ node: YAMLNode) -> Bool? {
        guard let text = text(node) else { return nil }
        switch text {
        case "1.0": return true
        case "1.1": return false
        default:
            error(
                "'\(text)' is no version that an answer can have: \"1.0\" or \"1.1\"",
                at: node.place)
            return nil
        }
    }

    private func retryAfter(_ node: YAMLNode) -> ForcedResponse.RetryAfter? {
        guard node.mapping != nil else { return duration(node).map { .seconds($0) } }
        return MappingReader(node, "'retry-after'", keys: Shape.retryAfterDate.keys, self)?
            .require("date", duration).map { .date($0) }
    }

    private func answerBody(_ node: YAMLNode) -> ForcedResponse.Body? {
        guard let reader = MappingReader(node, "a body", keys: Shape.answerBody.keys, self) else {
            return nil
        }
        guard let json = reader["json"] else { return content(reader).map { .content($0) } }
        for key in Self.contentKeys where reader.has(key) {
            error("a body has 'json' or content, not both", at: reader.keyPlace(key))
        }
        return self.json(json).map { .json($0) }
    }

    /// Header fields: texts, or filler of a size.
    func headerValues(_ node: YAMLNode) -> [HeaderValue]? {
        pairs(node, "a set of headers").compactMap { name, pair in
            guard isHeaderName(name, at: pair.key.place) else { return nil }
            guard pair.value.mapping != nil else {
                return text(pair.value).map { HeaderValue(name, .text($0)) }
            }
            return MappingReader(pair.value, "a header's filler", keys: Shape.filler.keys, self)?
                .require("size") { size($0, atLeast: 1) }
                .flatMap { size in
                    guard size <= 16 << 20 else {
                        error("a header of more than 16 MiB is too long", at: pair.value.place)
                        return nil
                    }
                    return HeaderValue(name, .filler(size))
                }
        }
    }

    /// Source: RFC 9110 section 5.1.
    private func isHeaderName(_ name: String, at place: SourcePlace) -> Bool {
        let isGood =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
        if !isGood { error("'\(name)' is no name of a header", at: place) }
        return isGood
    }

    func headerEdit(_ node: YAMLNode) -> HeaderEdit? {
        guard let reader = MappingReader(node, "'headers'", keys: Shape.headerEdit.keys, self)
        else { return nil }
        var edit = HeaderEdit()
        edit.set = reader.read("set", headerValues) ?? []
        edit.remove = reader.read("remove") { list($0).compactMap(text) } ?? []
        edit.duplicate = reader.read("duplicate") { list($0).compactMap(text) } ?? []
        let renamed = reader["rename"].map { pairs($0, "'rename'") } ?? []
        edit.rename = renamed.compactMap { from, pair in
            text(pair.value).map { .init(from: from, to: $0) }
        }
        return edit
    }

    /// Bytes; an edited answer is built in memory.
    private static let largestFilling: Int64 = 16 << 20

    func jsonEdit(_ node: YAMLNode) -> JSONEdit? {
        guard let reader = MappingReader(node, "'json'", keys: Shape.jsonEdit.keys, self) else {
            return nil
        }
        var edit = JSONEdit()
        let set = reader["set"].map { pairs($0, "'set'") } ?? []
        edit.set = set.compactMap { path, pair in
            json(pair.value).map { .init(path: path, value: $0) }
        }
        let fill = reader["fill"].map { pairs($0, "'fill'") } ?? []
        edit.fill = fill.compactMap { path, pair in
            size(pair.value).map { .init(path: path, size: min($0, Self.largestFilling)) }
        }
        edit.remove = reader.read("remove") { list($0).compactMap(text) } ?? []
        edit.truncate = reader.read("truncate") { size($0) }
        edit.replace = reader.read("replace", text)
        return edit
    }
}
