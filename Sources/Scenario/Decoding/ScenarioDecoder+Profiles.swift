import StorageModel

extension ScenarioDecoder {
    func profiles(_ node: YAMLNode) -> [ProfileBlock] {
        pairs(node, "'profiles'").compactMap { name, pair in
            guard self.name(pair.key) != nil else { return nil }
            if name == "documented" {
                error("'expect' itself is written for the profile 'documented'", at: pair.key.place)
                return nil
            }
            return profile(name, pair)
        }
    }

    private func profile(_ name: String, _ pair: YAMLNode.Pair) -> ProfileBlock? {
        guard let pairs = pair.value.mapping else {
            error(
                "a profile's block is a mapping, not \(pair.value.kindName)", at: pair.value.place)
            return nil
        }
        var block = ProfileBlock(name: name, place: pair.key.place)
        var kept: [YAMLNode.Pair] = []
        for pair in pairs {
            let key = pair.key.scalar ?? ""
            if key == "skip", pair.value.isNull {
                block.removed.append([key])
            } else if key == "skip" {
                block.skip = text(pair.value)
            } else if pair.value.isNull {
                checkName(key, at: pair.key.place)
                block.removed.append([key])
            } else {
                kept.append(withoutNulls(key, pair, &block))
            }
        }
        block.replaced = expectation(YAMLNode(.mapping(kept), pair.value.place))
        return block
    }

    /// The entry without the members that `null` removes.
    private func withoutNulls(
        _ key: String, _ pair: YAMLNode.Pair, _ block: inout ProfileBlock
    ) -> YAMLNode.Pair {
        guard let members = pair.value.mapping else { return pair }
        let removed = members.filter(\.value.isNull)
        block.removed += removed.map { [key, $0.key.scalar ?? ""] }
        let kept = members.filter { !$0.value.isNull }
        return YAMLNode.Pair(
            key: pair.key, value: YAMLNode(.mapping(kept), pair.value.place))
    }

    private func checkName(_ key: String, at place: SourcePlace) {
        guard !NameTable.expectKeys.contains(key), names.entry(key) == nil else { return }
        unknown(
            "task, observer, result or key", key,
            known: NameTable.expectKeys + names.taskNames + names.resultNames, at: place)
    }
}
