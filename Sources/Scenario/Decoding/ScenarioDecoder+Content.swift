import Checksums
import Glibc
import StorageModel

extension ScenarioDecoder {
    static let contentKeys = Shape.content.keys

    func content(_ node: YAMLNode) -> Content? {
        MappingReader(node, "content", keys: Self.contentKeys, self).flatMap(content)
    }

    /// Content whose keys stand among others.
    func content(_ reader: MappingReader) -> Content? {
        guard let kind = contentKind(reader) else { return nil }
        return Content(kind, isGzipped: reader.read("gzip", boolean) ?? false)
    }

    private func contentKind(_ reader: MappingReader) -> Content.Kind? {
        guard let key = reader.one(of: ["size", "text", "base64", "file"]) else { return nil }
        if key != "size" {
            for extra in ["seed", "zeros"] where reader.has(extra) {
                error("'\(extra)' goes with 'size' alone", at: reader.keyPlace(extra))
            }
        }
        switch key {
        case "text": return reader.read(key, text).map { .bytes(Array($0.utf8)) }
        case "base64": return reader.read(key, base64).map { .bytes($0) }
        case "file": return reader.read(key, fileBeside).map { .file(path: $0) }
        default: return sized(reader)
        }
    }

    private func sized(_ reader: MappingReader) -> Content.Kind? {
        let isZeros = reader.read("zeros", boolean) ?? false
        guard let size = reader.read("size", { size($0) }) else { return nil }
        if isZeros {
            if reader.has("seed") {
                error("content has 'seed' or 'zeros', not both", at: reader.keyPlace("seed"))
            }
            return .zeros(size: size)
        }
        guard reader.has("seed") else {
            if size > 0 {
                error("content of \(size) bytes needs 'seed' or 'zeros: true'", at: reader.place)
                return nil
            }
            return .synthetic(size: 0, seed: 0)
        }
        return reader.read("seed", { integer($0) }).map {
            .synthetic(size: size, seed: UInt64($0))
        }
    }

    private func fileBeside(_ node: YAMLNode) -> String? {
        guard !refusesFiles else {
            error("only a scenario file can name a file; give the bytes themselves", at: node.place)
            return nil
        }
        guard let name = fileName(node) else { return nil }
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        guard access(path, R_OK) == 0 else {
            error("there is no file '\(name)' beside the scenario", at: node.place)
            return nil
        }
        return path
    }

    func base64(_ node: YAMLNode) -> [UInt8]? {
        guard let text = text(node) else { return nil }
        guard let bytes = Base64.decode(text) else {
            error("the text is not base64", at: node.place)
            return nil
        }
        return bytes
    }

    /// What a test of bytes at rest or on the disk asks for.
    func contentExpectation(_ node: YAMLNode, isLocal: Bool) -> ContentExpectation? {
        if let word = node.scalar {
            switch word {
            case "absent": return .absent
            case "unchanged" where isLocal: return .unchanged
            default:
                let words = isLocal ? "absent, unchanged" : "absent"
                error("'\(word)' is no content: \(words) or a mapping", at: node.place)
                return nil
            }
        }
        guard let reader = MappingReader(node, "content", keys: Shape.contentTest.keys, self) else {
            return nil
        }
        if let any = reader["any"] {
            let alternatives = list(any).compactMap { contentExpectation($0, isLocal: isLocal) }
            return alternatives.isEmpty ? nil : .any(alternatives)
        }
        return contentExpectation(reader)
    }

    /// `{same-as: x}`, `{size: TEST}` or content, whose keys stand among others.
    func contentExpectation(_ reader: MappingReader) -> ContentExpectation? {
        if let same = reader["same-as"] {
            for key in Self.contentKeys where reader.has(key) {
                error("'\(key)' does not go with 'same-as'", at: reader.keyPlace(key))
            }
            return sameAs(same).map { .sameAs($0) }
        }
        if reader.has("size"), !reader.has("seed"), !reader.has("zeros"), !reader.has("gzip") {
            return reader.read("size") { numberTest($0, .size) }.map { .size($0) }
        }
        return content(reader).map { .content($0) }
    }

    private func sameAs(_ node: YAMLNode) -> SameAs? {
        guard let text = text(node) else { return nil }
        if let named = names.task(text), named.kind == .upload { return .task(text) }
        guard let address = objectAddress(node) else { return nil }
        guard names.objects.contains(text) else {
            unknown(
                "upload or given object", text,
                known: names.objects.sorted() + names.names(of: [.upload]), at: node.place)
            return nil
        }
        return .object(address)
    }
}
