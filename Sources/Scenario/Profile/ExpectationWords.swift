import EventMatching
import FaultEngine
import StorageModel

/// Parts of an expectation as a scenario file writes them.
enum Words {
    static func events(_ events: [EventPattern]) -> String {
        "[" + events.map(\.description).joined(separator: ", ") + "]"
    }

    static func mapping(_ parts: [(String, String?)]) -> String {
        let told = parts.compactMap { key, text in text.map { "\(key): \($0)" } }
        return "{\(told.joined(separator: ", "))}"
    }

    static func list(_ texts: [String]) -> String { "[\(texts.joined(separator: ", "))]" }

    // MARK: Tasks and results

    static func error(_ test: ErrorTest) -> String {
        if test.codes == .none { return "none" }
        var parts: [(String, String?)] = []
        switch test.codes {
        case .none, .any: break
        case .one(let code): parts.append(("code", code.rawValue))
        case .allowed(let codes): parts.append(("allow", list(codes.map(\.rawValue))))
        }
        let under = [
            ("status", test.status?.description), ("transport", test.transport?.rawValue),
            ("body", test.body?.text),
        ]
        if under.contains(where: { $0.1 != nil }) { parts.append(("underlying", mapping(under))) }
        parts.append(("message", test.message?.text))
        return mapping(parts)
    }

    static func progress(_ test: ProgressTest) -> String {
        var total: String?
        switch test.total {
        case .unknown?: total = "unknown"
        case .bytes(let bytes)?: total = bytes.description
        case nil: break
        }
        var parts: [(String, String?)] = [
            ("total", total), ("first", test.first?.description),
            ("last", test.last?.description), ("count", test.count?.description),
            ("falls", test.falls?.description), ("fraction", test.fraction?.description),
        ]
        if test.leavesOutStart { parts.append(("without", "the zero of the start")) }
        switch test.closing {
        case .none: break
        case .success: parts.append(("without", "the one right before a success"))
        case .successAndFailure: parts.append(("without", "the one right before the end"))
        }
        return mapping(parts)
    }

    static func metadata(_ test: MetadataTest) -> String {
        if test.isNone { return "absent" }
        var parts: [(String, String?)] = [("size", test.size?.description)]
        parts += tests(test.fields)
        if !test.custom.isEmpty { parts.append(("custom", mapping(tests(test.custom)))) }
        return mapping(parts)
    }

    static func tests(_ tests: [String: TextTest]) -> [(String, String?)] {
        tests.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) }
    }

    static func times(_ times: [TimeTest]) -> String {
        mapping(
            times.map { time in
                let word =
                    switch time.moment {
                    case .end: "end"
                    case .event(let kind): kind.rawValue
                    }
                let bytes = time.bytes.map { "@\($0)" } ?? ""
                let key = word + bytes + (time.ordinal > 1 ? "#\(time.ordinal)" : "")
                guard let since = time.since else { return (key, time.test.description) }
                return (key, "{since: \(since.text), is: \(time.test)}")
            })
    }

    static func ends(_ ends: EndsExpectation) -> String {
        mapping([
            ("success", ends.success?.description), ("failure", ends.failure?.description),
        ])
    }

    static func result(_ test: ResultTest) -> String {
        switch test {
        case .text(let test): test.text
        case .number(let test): test.description
        case .list(let wanted): list(wanted)
        case .flag(let wanted): wanted ? "true" : "false"
        case .content(let wanted): content(wanted)
        case .headers(let headers): mapping(tests(headers))
        case .metadata(let test): metadata(test)
        }
    }

    // MARK: Content

    static func content(_ content: ContentExpectation) -> String {
        switch content {
        case .sameAs(.task(let name)): "{same-as: \(name)}"
        case .sameAs(.object(let object)): "{same-as: \(object)}"
        case .content(let content): given(content)
        case .size(let test): "{size: \(test)}"
        case .absent: "absent"
        case .unchanged: "unchanged"
        case .any(let alternatives): "{any: \(list(alternatives.map(self.content)))}"
        }
    }

    private static func given(_ content: Content) -> String {
        switch content.kind {
        case .synthetic(let size, let seed): "{size: \(size.sizeText), seed: \(seed)}"
        case .zeros(let size): "{size: \(size.sizeText), zeros: true}"
        case .bytes(let bytes): "{bytes: \(bytes.count)}"
        case .file(let name): "{file: \(name)}"
        }
    }

    static func stored(_ test: StoredTest) -> String {
        switch test {
        case .absent: return "absent"
        case .any(let alternatives): return "{any: \(list(alternatives.map(stored)))}"
        case .present(let object):
            return mapping([
                ("content", object.content.map(content)),
                ("generations", object.generations?.description),
                ("metadata", object.metadata.map(metadata)),
                ("versions", object.versions.map { list($0.map(content)) }),
            ])
        }
    }

    // MARK: The server

    static func requests(_ part: RequestsExpectation.Part) -> String {
        let pattern = list(part.pattern.map(\.description))
        guard part.path != nil || part.after != nil || part.before != nil else { return pattern }
        return mapping([
            ("of", part.path), ("after", part.after?.text), ("before", part.before?.text),
            ("are", pattern),
        ])
    }

    static func exchanges(_ test: ExchangesTest) -> String {
        var parts: [(String, String?)] = [
            ("match", "\(test.selector.operation)\(test.selector.ordinal)")
        ]
        let filters = test.selector.filters
        if let path = filters.path { parts.append(("path", "\(path)")) }
        parts += [
            ("where status", test.whereStatus?.description), ("after", test.after?.text),
            ("before", test.before?.text), ("any", test.quantifier == .any ? "true" : nil),
        ]
        for (name, tests) in [
            ("header", test.headers), ("query", test.query), ("json", test.json),
        ] where !tests.isEmpty {
            parts.append((name, mapping(self.tests(tests))))
        }
        parts += [
            ("status", test.status?.description), ("offset", test.offset?.description),
            ("length", test.length?.description), ("declared", test.declared?.description),
            ("uploaded", test.uploaded?.description),
            ("downloaded", test.downloaded?.description), ("count", test.count?.description),
            ("gap", test.gap?.description), ("growth", test.growth?.description),
            ("overlap", test.overlap.map { "\($0)" }),
            ("connections", test.connections?.description),
        ]
        return mapping(parts)
    }

    static func sessions(_ sessions: SessionsExpectation) -> String {
        mapping([
            ("open", sessions.open?.description), ("started", sessions.started?.description),
            ("fed", sessions.fed?.description),
        ])
    }

    static func resources(_ resources: ResourcesExpectation) -> String {
        mapping([
            ("tasks", resources.tasks?.description),
            ("connections", resources.connections?.description),
        ])
    }

    static func complaints(_ test: ComplaintsTest) -> String {
        switch test {
        case .none: "none"
        case .names(let names): list(names)
        }
    }

    static func invariants(_ exceptions: InvariantExceptions) -> String {
        let names = exceptions.invariants.map(\.rawValue).sorted()
        return mapping([("except", list(names)), ("why", exceptions.why)])
    }
}
