import CYAML
import StorageModel

/// Makes a tree of libyaml's events. Used once, on one thread.
final class YAMLParser {
    /// Nesting deeper than this is refused.
    private static let depthLimit = 64
    /// Nodes that aliases may add.
    private static let expansionLimit = 10_000

    /// A node, how many nodes it stands for, and how many levels it is nested.
    private typealias Built = (node: YAMLNode, count: Int, height: Int)

    private let source: SourceText
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var anchors: [String: Built] = [:]
    private var expanded = 0
    /// Errors after which reading went on.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ source: SourceText) {
        self.source = source
        parser = .allocate(capacity: 1)
        let isReady = yaml_parser_initialize(parser)
        precondition(isReady == 1, "no memory for a parser")
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// - Throws: the `Diagnostic` of the error that ended the reading.
    func parse() throws(Diagnostic) -> YAMLNode {
        // The bytes must stay where they are while libyaml reads them.
        let result = source.bytes.withUnsafeBufferPointer {
            buffer -> Result<YAMLNode, Diagnostic> in
            yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
            do throws(Diagnostic) { return .success(try document()) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func document() throws(Diagnostic) -> YAMLNode {
        _ = try next()
        guard case .documentStart = try next() else { throw error("the file is empty", at: nil) }
        let root = try node(try next(), depth: 0).node
        _ = try next()
        let end = try next()
        if case .documentStart(let place) = end {
            throw error("a file holds one document: here begins a second one", at: place)
        }
        return root
    }

    private func node(_ event: YAMLEvent, depth: Int) throws(Diagnostic) -> Built {
        if let place = event.tag { report("tags are not allowed", at: place) }
        let built: Built
        switch event {
        case .alias(let name, let place): return try alias(name, place, depth: depth)
        case .scalar(let scalar):
            if scalar.isFolded { try checkHeader(scalar.place) }
            built = (YAMLNode(.scalar(scalar.text, scalar.style), scalar.place), 1, 0)
        case .sequenceStart(let start):
            built = try sequence(start.place, depth: depth + 1)
        case .mappingStart(let start):
            built = try mapping(start.place, depth: depth + 1)
        case .end, .documentStart: throw error("here a value is missing", at: nil)
        }
        if let anchor = event.anchor { anchors[anchor] = built }
        return built
    }

    private func sequence(_ place: SourcePlace, depth: Int) throws(Diagnostic) -> Built {
        try checkDepth(depth, place)
        var nodes: [YAMLNode] = []
        var count = 1
        var height = 0
        while true {
            let event = try next()
            if case .end = event { break }
            let built = try node(event, depth: depth)
            nodes.append(built.node)
            count += built.count
            height = max(height, built.height)
        }
        return (YAMLNode(.sequence(nodes), place), count, height + 1)
    }

    private func mapping(_ place: SourcePlace, depth: Int) throws(Diagnostic) -> Built {
        try checkDepth(depth, place)
        var pairs: [YAMLNode.Pair] = []
        var lines: [String: Int] = [:]
        var count = 1
        var height = 0
        while true {
            let event = try next()
            if case .end = event { break }
            let key = try node(event, depth: depth)
            let value = try node(try next(), depth: depth)
            count += key.count + value.count
            height = max(height, value.height)
            guard let name = key.node.scalar else {
                report("a key must be a single value, not \(key.node.kindName)", at: key.node.place)
                continue
            }
            if name == "<<", key.node.isPlain {
                report("merge keys are not allowed", at: key.node.place)
            }
            if let line = lines[name] {
                report(
                    "duplicate key '\(name)', given before in line \(line)", at: key.node.place)
                continue
            }
            lines[name] = key.node.place.line
            pairs.append(YAMLNode.Pair(key: key.node, value: value.node))
        }
        return (YAMLNode(.mapping(pairs), place), count, height + 1)
    }

    private func alias(
        _ name: String, _ place: SourcePlace, depth: Int
    ) throws(Diagnostic) -> Built {
        guard let built = anchors[name] else {
            // Nobody who meant an alias forgets its anchor.
            throw YAMLTrap.quoting("*", source, place)
        }
        expanded += built.count
        guard expanded <= Self.expansionLimit else {
            throw error("the aliases make more than 10,000 nodes", at: place)
        }
        try checkDepth(depth + built.height, place)
        return built
    }

    private func checkDepth(_ depth: Int, _ place: SourcePlace) throws(Diagnostic) {
        guard depth <= Self.depthLimit else {
            throw error("nested more than \(Self.depthLimit) levels deep", at: place)
        }
    }

    /// Refuses `>5`, which YAML takes for the header of an empty folded text.
    private func checkHeader(_ place: SourcePlace) throws(Diagnostic) {
        let rest = source.rest(from: place).dropFirst()
        guard let first = rest.first, ("0"..."9").contains(first) else { return }
        throw YAMLTrap.quoting(">", source, place)
    }

    private func next() throws(Diagnostic) -> YAMLEvent {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
            defer { yaml_event_delete(&event) }
            if event.type == YAML_DOCUMENT_START_EVENT,
                event.data.document_start.tag_directives.start
                    != event.data.document_start.tag_directives.end
            {
                report("tags are not allowed", at: place(event.start_mark))
            }
            if let event = YAMLEvent(event, at: place(event.start_mark)) { return event }
        }
    }

    private func failure() -> Diagnostic {
        let failure = parser.pointee
        return YAMLTrap.diagnostic(
            YAMLFailure(
                problem: failure.problem.map { String(cString: $0) } ?? "the text ends early",
                context: failure.context.map { String(cString: $0) },
                place: place(failure.problem_mark), contextPlace: place(failure.context_mark)),
            source)
    }

    private func place(_ mark: yaml_mark_t) -> SourcePlace {
        SourcePlace(file: source.file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func report(_ message: String, at place: SourcePlace) {
        diagnostics.append(error(message, at: place))
    }

    private func error(_ message: String, at place: SourcePlace?) -> Diagnostic {
        let place = place ?? SourcePlace(file: source.file, line: 1, column: 1)
        return Diagnostic(
            place: place, message: message, sourceLine: source.line(place.line))
    }
}
