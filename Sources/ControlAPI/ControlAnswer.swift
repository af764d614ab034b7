import Scenario
import StorageModel

/// Answers of the control API: JSON, with a line end behind it.
enum ControlAnswer {
    /// For every answer: nobody keeps it, and nobody takes it for something else than it is.
    static let fields: HTTPHeaders = [
        "Content-Type": "application/json", "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    ]

    static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: fields,
            body: ByteArraySource(Array((value.text + "\n").utf8)))
    }

    /// - Parameter more: members of `error` besides its message.
    static func error(
        _ status: Int, _ message: String, _ more: KeyValuePairs<String, JSONValue?> = [:]
    ) -> HTTPResponse {
        let rest = more.compactMap { name, value in
            value.map { JSONValue.Member(name: name, value: $0) }
        }
        let message = JSONValue.Member(name: "message", value: .string(message))
        return json(.made(["error": .object([message] + rest)]), status: status)
    }

    /// What is wrong with a text, and where.
    static func error(_ remarks: [LiveReader.Remark]) -> HTTPResponse {
        let wrong = remarks.filter { $0.diagnostic.severity == .error }
        guard let first = wrong.first else { return error(400, "the text cannot be read") }
        let all = wrong.count > 1 ? JSONValue.array(wrong.map(value)) : nil
        return json(.made(["error": value(first), "errors": all]), status: 400)
    }

    /// A remark as an error and a warning are told.
    static func value(_ remark: LiveReader.Remark) -> JSONValue {
        let diagnostic = remark.diagnostic
        return .made([
            "message": .string(diagnostic.message),
            "line": .count(diagnostic.place.line),
            "column": .count(diagnostic.place.column),
            "path": remark.path.isEmpty ? nil : .string(remark.path),
            "suggestion": diagnostic.suggestion.map(JSONValue.string),
            "text": diagnostic.sourceLine.map { .string(String($0.prefix(400))) },
        ])
    }

    /// Something that is not there, with the nearest that is.
    static func missing(_ what: String, _ name: String, among names: [String]) -> HTTPResponse {
        let near = name.count <= 64 ? Spelling.nearest(to: name, among: names) : nil
        return error(
            404, "there is no \(what) '\(name)'", ["suggestion": near.map(JSONValue.string)])
    }

    static func unknownRoute() -> HTTPResponse {
        error(404, "there is no such route", ["routes": routes])
    }

    static func wrongMethod(_ route: ControlRoute) -> HTTPResponse {
        let allowed = route.allowed.joined(separator: ", ")
        var answer = error(405, "\(route.rawValue) takes \(allowed)")
        answer.headers["Allow"] = allowed
        return answer
    }

    /// Every route with its methods: `GET /v1/health`.
    static let routes = JSONValue.array(
        ControlRoute.allCases.map { route in
            .string("\(route.methods.joined(separator: "|")) \(route.rawValue)")
        })
}

extension JSONValue {
    /// An object of the members that have a value, in their order.
    static func made(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(
            members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    static func count(_ number: some BinaryInteger) -> JSONValue { .number("\(number)") }

    /// Milliseconds with three decimals, as in the journal.
    static func time(_ time: Duration) -> JSONValue {
        let micros = time.nanoseconds / 1000
        let fraction = String(1000 + micros % 1000).dropFirst()
        return .number("\(micros / 1000).\(fraction)")
    }

    /// The member of an object.
    subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }
}
