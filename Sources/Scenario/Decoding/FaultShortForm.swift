import StorageModel

/// A fault in one line: `MATCH [path=GLOB] [@ AT]: ACTION [VALUE], ...`.
///
/// It is read into the same tree as the long form has, so that both mean the same.
struct FaultShortForm {
    /// The long form; nil when the line could not be taken apart.
    let node: YAMLNode?

    private struct Part {
        var text: Substring.UnicodeScalarView
        /// In characters from the text's start.
        var offset: Int
    }

    init(_ text: String, in node: YAMLNode, _ decoder: ScenarioDecoder) {
        let scalars = Substring(text).unicodeScalars
        guard let colon = Self.colon(in: scalars) else {
            decoder.error(
                "a fault in one line is MATCH [path=GLOB] [@ AT]: ACTION [VALUE], ...",
                at: node.place)
            self.node = nil
            return
        }
        let head = Part(text: scalars[..<colon], offset: 0)
        let tail = scalars[scalars.index(after: colon)...]
        let offset = scalars.distance(from: scalars.startIndex, to: colon) + 1
        var pairs = Self.head(head, node)
        let pieces = Self.pieces(Part(text: tail, offset: offset))
        let actions = pieces.compactMap { Self.action($0, node, decoder) }
        guard actions.count == pieces.count else {
            self.node = nil
            return
        }
        let list = YAMLNode(.sequence(actions), node.place(atOffset: offset))
        pairs.append(Self.pair("do", list))
        self.node = YAMLNode(.mapping(pairs), node.place)
    }

    /// The first colon that a space or the end follows.
    private static func colon(
        in text: Substring.UnicodeScalarView
    ) -> Substring.UnicodeScalarView.Index? {
        text.indices.first { index in
            let next = text.index(after: index)
            return text[index] == ":" && (next == text.endIndex || text[next] == " ")
        }
    }

    private static func head(_ head: Part, _ node: YAMLNode) -> [YAMLNode.Pair] {
        var words = WordScanner(String(head.text), in: node, shift: head.offset).words
        var pairs: [YAMLNode.Pair] = []
        if let at = words.firstIndex(where: { $0.text == "@" }) {
            let phase = words[(at + 1)...]
            let place = node.place(atOffset: phase.first?.offset ?? words[at].offset)
            pairs.append(pair("at", YAMLNode(text: joined(phase), place)))
            words = words[..<at]
        }
        if let path = words.firstIndex(where: { $0.text.hasPrefix("path=") }) {
            let place = node.place(atOffset: words[path].offset + 5)
            let glob = YAMLNode(text: String(joined(words[path...]).dropFirst(5)), place)
            let conditions = YAMLNode(.mapping([pair("path", glob)]), place)
            pairs.append(pair("where", conditions))
            words = words[..<path]
        }
        let place = node.place(atOffset: words.first?.offset ?? 0)
        pairs.append(pair("match", YAMLNode(text: joined(words), place)))
        return pairs
    }

    private static func joined(_ words: ArraySlice<WordScanner.Word>) -> String {
        words.map(\.text).joined(separator: " ")
    }

    private static func pair(_ key: String, _ value: YAMLNode) -> YAMLNode.Pair {
        YAMLNode.Pair(key: YAMLNode(text: key, value.place), value: value)
    }

    /// The parts between commas that stand outside of brackets and quotes.
    private static func pieces(_ part: Part) -> [Part] {
        var pieces: [Part] = []
        var depth = 0
        var quote: Unicode.Scalar?
        var start = part.text.startIndex
        var startOffset = part.offset
        for (distance, index) in part.text.indices.enumerated() {
            let scalar = part.text[index]
            if let open = quote {
                if scalar == open { quote = nil }
                continue
            }
            switch scalar {
            case "\"", "'": quote = scalar
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            case "," where depth == 0:
                pieces.append(Part(text: part.text[start..<index], offset: startOffset))
                start = part.text.index(after: index)
                startOffset = part.offset + distance + 1
            default: break
            }
        }
        pieces.append(Part(text: part.text[start...], offset: startOffset))
        return pieces
    }

    private static func action(
        _ part: Part, _ node: YAMLNode, _ decoder: ScenarioDecoder
    ) -> YAMLNode? {
        let leading = part.text.prefix { $0 == " " }.count
        let text = part.text.dropFirst(leading)
        let place = node.place(atOffset: part.offset + leading)
        let name = text.prefix { $0 != " " }
        let gap = text.dropFirst(name.count).prefix { $0 == " " }.count
        var value = String(text.dropFirst(name.count + gap))
        while value.last == " " { value.removeLast() }
        let word = YAMLNode(text: String(name), place)
        guard !value.isEmpty else { return word }
        let valuePlace = node.place(atOffset: part.offset + leading + name.count + gap)
        guard let decoded = self.value(value, valuePlace, decoder) else { return nil }
        let pair = YAMLNode.Pair(key: word, value: decoded)
        return YAMLNode(.mapping([pair]), place)
    }

    /// A value in flow style, or a plain one.
    private static func value(
        _ text: String, _ place: SourcePlace, _ decoder: ScenarioDecoder
    ) -> YAMLNode? {
        guard let first = text.first, "{[\"'".contains(first) else {
            return YAMLNode(text: text, place)
        }
        let reading = YAMLDocument.read(Array(text.utf8), file: place.file)
        guard let document = reading.document, reading.diagnostics.isEmpty else {
            let message = reading.diagnostics.first?.message ?? "not valid YAML"
            decoder.error("'\(text)': \(message)", at: place)
            return nil
        }
        return document.root.moved(to: place)
    }
}
