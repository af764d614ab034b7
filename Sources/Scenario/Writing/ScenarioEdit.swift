import EventMatching
package import StorageModel

/// Other values in a scenario file, which stays as it is everywhere else: comments, order, white space.
package struct ScenarioEdit: Sendable {
    /// Why a value cannot be changed, in one sentence.
    package struct Refusal: Error, Hashable, Sendable {
        package let sentence: String
    }

    /// A value that is put in the place of another.
    package enum Value: Hashable, Sendable {
        case events([TransferEvent])
        /// Nil: none.
        case error(ClientError?, hasUnderlying: Bool)
        case requests([ExchangeRecord])

        /// On one line.
        package var text: String { YAMLWriter.flow(node) }

        private var node: YAMLNode {
            switch self {
            case .events(let events): .list(Self.patterns(events).map(\.node))
            case .error(nil, _): .word("none")
            case .error(let error?, let hasUnderlying):
                Self.test(error, hasUnderlying: hasUnderlying).node
            case .requests(let records): .list(RequestPattern.seen(records).map(\.node))
            }
        }

        /// Runs of progress as one.
        private static func patterns(_ events: [TransferEvent]) -> [EventPattern] {
            var patterns: [EventPattern] = []
            for event in events {
                let codes = event.error.map { [$0.code] } ?? []
                let atom = EventAtom.event(EventCondition(event.kind, codes: codes))
                guard event.kind == .progress else {
                    patterns.append(.atom(atom, .once))
                    continue
                }
                if patterns.last != .atom(atom, .some) { patterns.append(.atom(atom, .some)) }
            }
            return patterns
        }

        private static func test(_ error: ClientError, hasUnderlying: Bool) -> ErrorTest {
            var test = ErrorTest(.one(error.code))
            guard hasUnderlying else { return test }
            test.status = error.status.flatMap { StatusTest("\($0)") }
            test.transport = error.transport
            return test
        }
    }

    private let file: String
    private var script: LineScript
    private var isChanged = false

    package init(_ bytes: [UInt8], file: String) {
        self.file = file
        script = LineScript(bytes)
    }

    /// Puts a value where another begins.
    package mutating func put(_ value: Value, at place: SourcePlace) throws(Refusal) {
        guard let span = FlowSpan(script, place) else {
            throw Refusal(
                sentence: "the value at \(place) is not written between brackets or as a word")
        }
        guard !span.text.contains("${") else {
            throw Refusal(
                sentence: "the value at \(place) comes from the matrix, and cannot be changed there"
            )
        }
        let first = script.text(place.line - 1).unicodeScalars.prefix(place.column - 1)
        let line = String(String.UnicodeScalarView(first)) + value.text + span.rest
        script.replace(place.line - 1, with: [line])
        for index in (place.line - 1)..<span.lastLine where index + 1 <= span.lastLine {
            script.replace(index + 1)
        }
        isChanged = true
    }

    /// What changes, as `patch -p1` and `git apply` take it; empty where nothing does.
    package func patch(path: String) -> [UInt8] {
        isChanged ? UnifiedDiff.text(script, path: path) : []
    }

    /// The file as it would be.
    package var result: [UInt8] { script.result }
}

/// A value in flow style, or a word, as it stands in a file.
private struct FlowSpan {
    /// All of it.
    let text: String
    /// The index of the line on which it ends.
    let lastLine: Int
    /// What stands behind it on that line.
    let rest: String

    init?(_ script: LineScript, _ place: SourcePlace) {
        guard script.lines.indices.contains(place.line - 1) else { return nil }
        var depth = 0
        var quote: Unicode.Scalar?
        var text = String.UnicodeScalarView()
        var column = place.column - 1
        for index in (place.line - 1)..<script.lines.count {
            let line = Array(script.text(index).unicodeScalars)
            while column < line.count {
                let scalar = line[column]
                column += 1
                text.append(scalar)
                if let open = quote {
                    if scalar == "\\", open == "\"", column < line.count {
                        text.append(line[column])
                        column += 1
                    } else if scalar == open {
                        quote = nil
                    }
                } else if scalar == "\"" || scalar == "'" {
                    quote = scalar
                } else if scalar == "[" || scalar == "{" {
                    depth += 1
                } else if scalar == "]" || scalar == "}" {
                    depth -= 1
                } else if depth == 0 {
                    guard let end = Self.endOfWord(line, from: column - 1) else { return nil }
                    self.text = String(String.UnicodeScalarView(line[(place.column - 1)..<end]))
                    lastLine = index
                    rest = String(String.UnicodeScalarView(line[end...]))
                    return
                }
                if depth == 0, quote == nil {
                    self.text = String(text)
                    lastLine = index
                    rest = String(String.UnicodeScalarView(line[column...]))
                    return
                }
            }
            text.append("\n")
            column = 0
        }
        return nil
    }

    /// Where a plain word ends that begins here; nil where this is the dash or the key of a block.
    private static func endOfWord(_ line: [Unicode.Scalar], from start: Int) -> Int? {
        var end = start
        while end < line.count, !" ,]}".unicodeScalars.contains(line[end]) { end += 1 }
        let word = line[start..<end]
        return word.last == ":" || word.elementsEqual(["-"]) ? nil : end
    }
}
