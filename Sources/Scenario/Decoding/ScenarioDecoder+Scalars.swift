import StorageModel

extension ScenarioDecoder {
    /// The text of a scalar that is not null.
    func text(_ node: YAMLNode) -> String? {
        guard let text = node.scalar, !node.isNull else {
            error("a single value belongs here, not \(node.kindName)", at: node.place)
            return nil
        }
        return text
    }

    func boolean(_ node: YAMLNode) -> Bool? {
        guard let text = text(node) else { return nil }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default:
            let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"]
            error(
                "'\(text)' is neither true nor false", at: node.place,
                suggestion: meant[text.lowercased()])
            return nil
        }
    }

    /// A whole number inside the range.
    func integer(_ node: YAMLNode, in range: ClosedRange<Int> = 0...Int.max) -> Int? {
        guard let text = text(node) else { return nil }
        guard let number = Int(text), text.first != "+" else {
            error("'\(text)' is no whole number", at: node.place)
            return nil
        }
        guard range.contains(number) else {
            let upper = range.upperBound == .max ? "" : " and at most \(range.upperBound)"
            error("\(text) is out of range: at least \(range.lowerBound)\(upper)", at: node.place)
            return nil
        }
        return number
    }

    /// Bytes; at least `minimum`.
    func size(_ node: YAMLNode, atLeast minimum: Int64 = 0) -> Int64? {
        guard let text = text(node) else { return nil }
        guard let size = ScalarText.size(text) else {
            error(
                "'\(text)' is no size: whole numbers, as 1000, 256KiB, 1MiB, 3GiB or 5TiB",
                at: node.place, suggestion: Self.sizeMeant(text))
            return nil
        }
        guard size >= minimum else {
            error("\(text) is out of range: at least \(minimum)", at: node.place)
            return nil
        }
        return size
    }

    func duration(_ node: YAMLNode) -> Duration? {
        guard let text = text(node) else { return nil }
        guard let duration = ScalarText.duration(text) else {
            let isBare = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            let why =
                isBare
                ? "'\(text)' has no unit: a duration is written"
                : "'\(text)' is no duration, which is written"
            error(why + " as 300ms, 1.5s, 10m, 1h or 8d", at: node.place)
            return nil
        }
        return duration
    }

    /// A duration of more than zero.
    func positiveDuration(_ node: YAMLNode) -> Duration? {
        guard let duration = duration(node) else { return nil }
        guard duration > .zero else {
            error("the duration must be more than zero", at: node.place)
            return nil
        }
        return duration
    }

    /// Bytes per second.
    func rate(_ node: YAMLNode) -> Int64? {
        guard let text = text(node) else { return nil }
        guard let rate = ScalarText.rate(text) else {
            let suggestion = ScalarText.size(text).flatMap { $0 > 0 ? "\(text)/s" : nil }
            error(
                "'\(text)' is no rate, which is written as 512KiB/s", at: node.place,
                suggestion: suggestion)
            return nil
        }
        return rate
    }

    /// From 0 to 100.
    func percent(_ node: YAMLNode) -> Double? {
        guard let text = text(node) else { return nil }
        guard let percent = ScalarText.percent(text) else {
            error(
                "'\(text)' is no percentage from 0% to 100%", at: node.place,
                suggestion: ScalarText.percent(text + "%") == nil ? nil : text + "%")
            return nil
        }
        return percent
    }

    /// `[a-z][a-z0-9-]*`
    func name(_ node: YAMLNode) -> String? {
        guard let text = text(node) else { return nil }
        guard ScalarText.isName(text) else {
            error(
                "'\(text)' is no name: a small letter, then small letters, digits and '-'",
                at: node.place)
            return nil
        }
        return text
    }

    /// The name of a local file: `[A-Za-z0-9][A-Za-z0-9._-]*`.
    func fileName(_ node: YAMLNode) -> String? {
        guard let text = text(node) else { return nil }
        let isGood = text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): index > 0
            default: false
            }
        }
        guard isGood, !text.isEmpty else {
            error(
                "'\(text)' is no local file: a letter or digit, then letters, digits, '.', '_', '-'",
                at: node.place)
            return nil
        }
        return text
    }

    /// One of the words of an enumeration.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: YAMLNode, _ what: String, of type: Choice.Type = Choice.self
    ) -> Choice? {
        guard let text = text(node) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        unknown(what, text, known: Choice.allCases.map(\.rawValue), at: node.place)
        return nil
    }

    func objectAddress(_ node: YAMLNode) -> ObjectAddress? {
        guard let text = text(node) else { return nil }
        guard let address = ObjectAddress(text) else {
            error("'\(text)' names no bucket: gs://BUCKET/path", at: node.place)
            return nil
        }
        return address
    }

    /// The entries of a list.
    func list(_ node: YAMLNode) -> [YAMLNode] {
        guard let nodes = node.sequence else {
            error("a list belongs here, not \(node.kindName)", at: node.place)
            return []
        }
        return nodes
    }

    /// The pairs of a mapping whose keys are free.
    func pairs(_ node: YAMLNode, _ what: String) -> [(key: String, pair: YAMLNode.Pair)] {
        guard let pairs = node.mapping else {
            error("\(what) is a mapping, not \(node.kindName)", at: node.place)
            return []
        }
        return pairs.map { ($0.key.scalar ?? "", $0) }
    }

    /// A mapping of texts.
    func texts(_ node: YAMLNode, _ what: String) -> [String: String]? {
        var texts: [String: String] = [:]
        for (key, pair) in pairs(node, what) { texts[key] = text(pair.value) }
        return texts
    }

    private static func sizeMeant(_ text: String) -> String? {
        let wrong = [
            ("KB", "KiB"), ("kB", "KiB"), ("kb", "KiB"), ("K", "KiB"), ("k", "KiB"), ("MB", "MiB"),
            ("mb", "MiB"), ("M", "MiB"), ("GB", "GiB"), ("gb", "GiB"), ("G", "GiB"),
            ("TB", "TiB"), ("T", "TiB"), ("kib", "KiB"), ("mib", "MiB"), ("gib", "GiB"),
            ("B", ""),
        ]
        for (unit, right) in wrong where text.hasSuffix(unit) {
            let meant = text.dropLast(unit.count).filter { $0 != " " } + right
            if ScalarText.size(meant) != nil { return String(meant) }
        }
        let squeezed = text.filter { $0 != " " }
        return squeezed != text && ScalarText.size(squeezed) != nil ? squeezed : nil
    }
}
