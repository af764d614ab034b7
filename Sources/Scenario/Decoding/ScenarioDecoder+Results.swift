import StorageModel

extension ScenarioDecoder {
    func resultExpectation(
        _ name: String, _ verb: String, _ pair: YAMLNode.Pair
    ) -> ResultExpectation? {
        let keys = Shape.result(of: verb).keys
        guard
            let reader = MappingReader(pair.value, "a result of '\(verb)'", keys: keys, self)
        else { return nil }
        var result = ResultExpectation(name: name, place: pair.key.place)
        result.error = placed(reader["error"], errorTest)
        result.times = reader.read("time", times) ?? []
        result.completion = placed(reader["completion"]) { choice($0, "completion") }
        result.ends = ends(name, reader)
        let values = keys.filter { !Shape.result.keys.contains($0) }
        result.values = values.compactMap { key in
            guard let node = reader[key], let test = valueTest(verb, key, node) else { return nil }
            return ResultValueExpectation(key: key, place: reader.keyPlace(key), test: test)
        }
        return result
    }

    private func valueTest(_ verb: String, _ key: String, _ node: YAMLNode) -> ResultTest? {
        switch (verb, key) {
        case (_, "items"), (_, "prefixes"), ("image", "states"):
            return .list(list(node).compactMap(text))
        case (_, "next"), ("image", "stale"): return boolean(node).map { .flag($0) }
        case ("fetch", "status"): return numberTest(node, .plain).map { .number($0) }
        case ("fetch", "content"), ("image", "content"):
            return contentExpectation(node, isLocal: false).map { .content($0) }
        case ("fetch", "header"): return textTests(node, "'header'").map { .headers($0) }
        case ("snapshot", "completed"), ("snapshot", "total"), (_, "size"):
            return numberTest(node, .size).map { .number($0) }
        case ("snapshot", "metadata") where node.scalar == "absent":
            var test = MetadataTest()
            test.isNone = true
            return .metadata(test)
        case ("snapshot", "metadata"): return metadataTest(node).map { .metadata($0) }
        case (_, "custom"):
            guard let custom = textTests(node, "'custom'") else { return nil }
            var test = MetadataTest()
            test.custom = custom
            return .metadata(test)
        default: return textTest(node).map { .text($0) }
        }
    }
}
