import StorageModel

extension ScenarioDecoder {
    func accessSetting(_ node: YAMLNode) -> BackendSettings.Access? {
        if isSecurityRules(node) { return nil }
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
        guard let reader = MappingReader(node, "'access'", keys: Shape.access.keys, self) else {
            return nil
        }
        return reader.require("rules") { node in
            isSecurityRules(node) ? nil : .rules(list(node).compactMap(accessRule))
        }
    }

    /// Tells where text in the language of Security Rules stands, and how to write it here.
    private func isSecurityRules(_ node: YAMLNode) -> Bool {
        guard let text = node.scalar,
            ["rules_version", "service firebase", "match /", "allow read", "allow write"]
                .contains(where: text.contains)
        else { return false }
        error(
            "Security Rules are not read; the same as YAML: rules: [{allow: [read], path: "
                + "\"public/**\"}, {allow: [read, write], path: \"users/*/**\", signed-in: true, "
                + "max-size: 5MiB, content-type: \"image/*\"}]", at: node.place)
        return true
    }

    private func accessRule(_ node: YAMLNode) -> AccessRule? {
        if isSecurityRules(node) { return nil }
        guard let reader = MappingReader(node, "an access rule", keys: Shape.accessRule.keys, self)
        else {
            return nil
        }
        let rights = (reader.require("allow", list) ?? []).compactMap(accessRight)
        let path = reader.require("path", glob)
        let needsSignIn = reader.read("signed-in", boolean) ?? false
        let tokens = reader.read("tokens") { list($0).compactMap(name) }
        let maxSize = reader.read("max-size") { size($0) }
        let contentType = reader.read("content-type", glob)
        guard let path else { return nil }
        var rule = AccessRule(Set(rights), path: path)
        rule.needsSignIn = needsSignIn
        rule.tokens = tokens.map(Set.init)
        rule.maxSize = maxSize
        rule.contentType = contentType
        return rule
    }

    private func accessRight(_ node: YAMLNode) -> AccessRule.Right? {
        guard let word = text(node) else { return nil }
        if let right = AccessRule.Right(rawValue: word) { return right }
        unknown("right", word, known: AccessRule.Right.allCases.map(\.rawValue), at: node.place)
        return nil
    }

    /// The objects that are there at the start, copies made.
    func objects(_ node: YAMLNode) -> [BackendSettings.GivenObject] {
        pairs(node, "'objects'").flatMap { path, pair -> [BackendSettings.GivenObject] in
            guard
                let reader = MappingReader(pair.value, "an object", keys: Shape.object.keys, self)
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
            return MappingReader(node, "an object", keys: Shape.object.keys, self).flatMap {
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
