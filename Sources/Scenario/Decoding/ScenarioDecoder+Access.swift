import StorageModel

extension ScenarioDecoder {
    /// Nil also for rules, which are read and not supported yet.
    func accessSetting(_ node: YAMLNode) -> BackendSettings.Access? {
        guard node.mapping != nil else {
            switch text(node) {
            case nil: return nil
            case "open": return .open
            case "signed-in": return .signedIn
            case let word?:
                unknown("access", word, known: ["open", "signed-in", "rules"], at: node.place)
                return nil
            }
        }
        guard let reader = MappingReader(node, "'access'", keys: ["rules"], self) else {
            return nil
        }
        for rule in reader.require("rules", list) ?? [] { accessRule(rule) }
        require(.accessRules, at: node.place)
        return nil
    }

    private func accessRule(_ node: YAMLNode) {
        let keys = ["allow", "path", "signed-in", "max-size", "content-type"]
        guard let reader = MappingReader(node, "an access rule", keys: keys, self) else { return }
        for allowed in reader.require("allow", list) ?? [] {
            guard let word = text(allowed), !["read", "write"].contains(word) else { continue }
            unknown("right", word, known: ["read", "write"], at: allowed.place)
        }
        _ = reader.require("path", glob)
        _ = reader.read("signed-in", boolean)
        _ = reader.read("max-size") { size($0) }
        _ = reader.read("content-type", glob)
    }

    private static let objectKeys =
        contentKeys + MetadataFields.settable + ["custom", "copies"]

    /// The objects that are there at the start, copies made.
    func objects(_ node: YAMLNode) -> [BackendSettings.GivenObject] {
        pairs(node, "'objects'").flatMap { path, pair -> [BackendSettings.GivenObject] in
            guard
                let reader = MappingReader(pair.value, "an object", keys: Self.objectKeys, self)
            else { return [] }
            guard reader.has("copies") else {
                return object(path, pair.key.place, reader).map { [$0] } ?? []
            }
            return copies(pair, reader)
        }
    }

    private func copies(
        _ pair: YAMLNode.Pair, _ reader: MappingReader
    ) -> [BackendSettings.GivenObject] {
        let path = pair.key.scalar ?? ""
        guard let count = reader.read("copies", { integer($0, in: 1...BackendLimits.copies) })
        else { return [] }
        guard path.contains("${n}") else {
            error("the path of an object with 'copies' needs '${n}'", at: pair.key.place)
            return []
        }
        return (1...count).compactMap { number in
            let node = Substitution.counted(pair.value, number)
            return MappingReader(node, "an object", keys: Self.objectKeys, self).flatMap {
                object(Substitution.counted(path, number), pair.key.place, $0)
            }
        }
    }

    private func object(
        _ path: String, _ place: SourcePlace, _ reader: MappingReader
    ) -> BackendSettings.GivenObject? {
        guard !path.isEmpty else {
            error("the root of a bucket is no object", at: place)
            return nil
        }
        objectCount += 1
        guard objectCount <= BackendLimits.objects else {
            error("the backend is given more than \(BackendLimits.objects) objects", at: place)
            return nil
        }
        guard let content = content(reader) else { return nil }
        if content.isGzipped { require(.gzipObject, at: reader.keyPlace("gzip")) }
        var object = BackendSettings.GivenObject(path: path, content: content)
        let fields = metadataFields(reader)
        object.contentType = fields.fields["contentType"]
        object.fields = fields.fields.filter { $0.key != "contentType" }
        object.custom = fields.custom
        return object
    }

    /// The fields that a client may set, whose keys may stand among others.
    func metadataFields(_ reader: MappingReader) -> MetadataFields {
        var fields = MetadataFields()
        for key in MetadataFields.settable { fields.fields[key] = reader.read(key, text) }
        fields.custom = reader.read("custom") { texts($0, "'custom'") } ?? [:]
        return fields
    }
}
