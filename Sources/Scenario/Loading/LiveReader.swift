package import FaultEngine
package import StorageModel

/// Reads what a running server is asked to take up: faults, actions on the backend, objects. The words
/// are those of scenario files, and so are the messages.
package struct LiveReader: Sendable {
    /// A remark and the way to its place: `[1].do.respond`; empty for the whole text.
    package struct Remark: Hashable, Sendable {
        package let diagnostic: Diagnostic
        package let path: String
    }

    package struct Reading<Value: Sendable>: Sendable {
        /// Nil where something is wrong.
        package let value: Value?
        /// In the order of their places; warnings too.
        package let remarks: [Remark]
    }

    /// How faults are written.
    package enum Form: Hashable, Sendable {
        /// YAML or JSON: one fault or a list, each a mapping or a text in the short form.
        case data
        /// The short form, one fault a line.
        case lines
    }

    /// Names of faults that there are.
    package var faultNames: Set<String>
    package var tokenNames: Set<String>
    /// What the text is called in places.
    package let file = "request"

    package init(faultNames: Set<String>, tokenNames: Set<String>) {
        self.faultNames = faultNames
        self.tokenNames = tokenNames
    }

    /// Faults to be added.
    ///
    /// - Parameter position: of the first of them.
    package func faults(
        _ bytes: [UInt8], _ form: Form, position: Int
    ) -> Reading<[FaultRule]> {
        read(bytes, form) { root, decoder in
            let nodes = root.sequence ?? [root]
            if nodes.isEmpty { decoder.error("there is no fault in it", at: root.place) }
            collectNames(nodes, decoder)
            return nodes.enumerated().compactMap { index, node in
                decoder.fault(node, position: position + index)
            }
        }
    }

    /// An action on the backend: `{session: expire}`, `{link: {state: down}}`.
    package func backendAction(_ bytes: [UInt8]) -> Reading<BackendAction> {
        read(bytes, .data) { root, decoder in
            let names = ScenarioDecoder.backendActionNames
            guard let reader = MappingReader(root, "an action", keys: names, decoder),
                let name = reader.one(of: names), let node = reader[name],
                let action = decoder.backendAction(name, node)
            else { return nil }
            return action
        }
    }

    /// Objects by their paths, as `backend.objects` has them.
    package func objects(_ bytes: [UInt8]) -> Reading<[BackendSettings.GivenObject]> {
        read(bytes, .data) { root, decoder in decoder.objects(root) }
    }

    // MARK: Private parts

    private func read<Value: Sendable>(
        _ bytes: [UInt8], _ form: Form, _ decode: (YAMLNode, ScenarioDecoder) -> Value?
    ) -> Reading<Value> {
        let root: YAMLNode
        let source: SourceText
        let log: DiagnosticLog
        switch document(bytes, form) {
        case .failure(let refusal): return Reading(value: nil, remarks: refusal.remarks)
        case .success(let found): (root, source) = (found.root, found.source)
        }
        log = DiagnosticLog(source)
        let decoder = ScenarioDecoder(log: log, folder: "")
        decoder.refusesFiles = true
        for name in faultNames { _ = decoder.names.add(name, entry(.fault)) }
        for name in tokenNames { _ = decoder.names.add(name, entry(.token)) }
        let value = decode(root, decoder)
        let remarks = log.diagnostics.sorted().map { diagnostic in
            Remark(diagnostic: diagnostic, path: root.way(to: diagnostic.place))
        }
        let isWrong = remarks.contains { $0.diagnostic.severity == .error }
        return Reading(value: isWrong ? nil : value, remarks: remarks)
    }

    private struct Refusal: Error {
        let remarks: [Remark]
    }

    private func document(
        _ bytes: [UInt8], _ form: Form
    ) -> Result<(root: YAMLNode, source: SourceText), Refusal> {
        func refusal(_ diagnostics: [Diagnostic]) -> Refusal {
            Refusal(remarks: diagnostics.map { Remark(diagnostic: $0, path: "") })
        }
        switch form {
        case .data:
            let reading = YAMLDocument.read(bytes, file: file)
            let isWrong = reading.diagnostics.contains { $0.severity == .error }
            guard let document = reading.document, !isWrong else {
                return .failure(refusal(reading.diagnostics))
            }
            return .success((document.root, document.source))
        case .lines:
            do {
                let source = try SourceText(bytes: bytes, file: file)
                return .success((root: lines(of: source), source: source))
            } catch {
                return .failure(refusal([error]))
            }
        }
    }

    /// Each line that is neither empty nor a comment, as a plain scalar.
    private func lines(of source: SourceText) -> YAMLNode {
        let nodes = source.lines.enumerated().compactMap { index, line -> YAMLNode? in
            let indent = line.unicodeScalars.prefix { $0 == " " || $0 == "\t" }.count
            let text = String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(indent)))
            guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
            return YAMLNode(
                text: text, SourcePlace(file: file, line: index + 1, column: indent + 1))
        }
        return YAMLNode(.sequence(nodes), SourcePlace(file: file, line: 1, column: 1))
    }

    /// The names of the new faults, which may refer to each other.
    private func collectNames(_ nodes: [YAMLNode], _ decoder: ScenarioDecoder) {
        var fresh: [YAMLNode] = []
        for node in nodes {
            if let name = node["name"], let text = name.scalar, faultNames.contains(text) {
                decoder.error("there is a fault '\(text)' already", at: name.place)
            } else {
                fresh.append(node)
            }
        }
        let place = SourcePlace(file: file, line: 1, column: 1)
        let list = YAMLNode(.sequence(fresh), place)
        let pair = YAMLNode.Pair(key: YAMLNode(text: "faults", place), value: list)
        NameCollector(decoder).collect(YAMLNode(.mapping([pair]), place))
    }

    private func entry(_ kind: NameTable.Kind) -> NameTable.Entry {
        let place = SourcePlace(file: file, line: 1, column: 1)
        return NameTable.Entry(kind: kind, place: place, rounds: 1)
    }
}

extension LiveReader.Form {
    /// What the form of a text seems to be, where nobody says: a line that begins with an operation is
    /// in the short form.
    package init(guessing bytes: [UInt8]) {
        let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
        let line =
            text.split(whereSeparator: \.isNewline).first { line in
                let rest = line.drop { $0 == " " }
                return !rest.isEmpty && !rest.hasPrefix("#")
            } ?? ""
        let start = line.drop { $0 == " " }
        let word = start.prefix { !" #:@".contains($0) }
        let marks = start.prefix { $0 != ":" }
        let isOperation = OperationPattern.allNames.contains(String(word))
        let isQuotedOrFlow = start.first.map { "{[\"'-".contains($0) } ?? true
        self =
            !isQuotedOrFlow && (isOperation || marks.contains("#") || marks.contains("@"))
            ? .lines : .data
    }
}

extension YAMLNode {
    /// The way from here to the innermost value at a place, as `[1].do.respond`.
    fileprivate func way(to place: SourcePlace) -> String {
        var best: (place: SourcePlace, way: String)?
        visit("") { node, way in
            guard !node.place.isBehind(place) else { return }
            // Of several at one place the outermost is meant.
            if let best, !node.place.isBehind(best.place) { return }
            best = (node.place, way)
        }
        return best?.way ?? ""
    }

    private func visit(_ way: String, _ body: (YAMLNode, String) -> Void) {
        body(self, way)
        switch value {
        case .scalar: break
        case .sequence(let nodes):
            for (index, node) in nodes.enumerated() { node.visit("\(way)[\(index)]", body) }
        case .mapping(let pairs):
            for pair in pairs {
                let inner = (way.isEmpty ? "" : way + ".") + (pair.key.scalar ?? "")
                body(pair.key, inner)
                pair.value.visit(inner, body)
            }
        }
    }
}

extension SourcePlace {
    fileprivate func isBehind(_ other: SourcePlace) -> Bool {
        (line, column) > (other.line, other.column)
    }
}
