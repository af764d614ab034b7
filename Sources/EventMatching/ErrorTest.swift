package import StorageModel

/// What the error of a task or of a result must be (expectation `error`).
package struct ErrorTest: Hashable, Sendable {
    /// The error codes that are right.
    package enum Codes: Hashable, Sendable {
        /// There must be no error.
        case none
        /// Any error.
        case any
        case one(ErrorCode)
        /// One of them.
        case allowed([ErrorCode])
    }

    package var codes: Codes
    /// On the HTTP status underneath.
    package var status: StatusTest?
    package var transport: TransportFault?
    /// On the server's answer underneath.
    package var body: TextTest?
    /// On the client's own text.
    package var message: TextTest?

    package init(_ codes: Codes) { self.codes = codes }

    /// What is wrong with an error, a sentence for each test that does not hold.
    package func problems(with error: ClientError?) -> [String] {
        guard let error else {
            return codes == .none ? [] : ["there was no error, \(wanted) was expected"]
        }
        if codes == .none { return ["failed with \(Self.text(error)), no error was expected"] }
        var problems: [String] = []
        if !holds(error.code) {
            problems.append("failed with \(Self.text(error)) instead of \(wanted)")
        }
        if let status, !status.holds(error.status) {
            let seen = error.status.map(String.init) ?? "none"
            problems.append("the status underneath was \(seen), expected was \(status)")
        }
        if let transport, error.transport != transport {
            let seen = error.transport?.rawValue ?? "none"
            problems.append(
                "the transport fault underneath was \(seen), expected was \(transport.rawValue)")
        }
        if let body, !body.holds(error.body) {
            problems.append(
                "the answer underneath was \(Self.quoted(error.body)), not \(body.text)")
        }
        if let message, !message.holds(error.message) {
            problems.append("the message was \(Self.quoted(error.message)), not \(message.text)")
        }
        return problems
    }

    private func holds(_ code: ErrorCode) -> Bool {
        switch codes {
        case .none: false
        case .any: true
        case .one(let wanted): code == wanted
        case .allowed(let wanted): wanted.contains(code)
        }
    }

    private var wanted: String {
        switch codes {
        case .none: "no error"
        case .any: "an error"
        case .one(let code): code.rawValue
        case .allowed(let codes): codes.map(\.rawValue).joined(separator: " or ")
        }
    }

    private static func text(_ error: ClientError) -> String {
        error.code == .other ? "other ('\(Shortened.text(error.name))')" : error.code.rawValue
    }

    private static func quoted(_ text: String?) -> String {
        text.map { "'\(Shortened.text($0))'" } ?? "absent"
    }
}
