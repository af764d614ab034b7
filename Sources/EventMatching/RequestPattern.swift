package import StorageModel

/// A pattern over requests: `upload.chunk+ status=200`, `{any: ...}`.
package typealias RequestPattern = SequencePattern<RequestCondition>

/// What a request, with its answer, must be.
package struct RequestCondition: PatternAtom {
    package let operation: OperationPattern
    /// On the first object byte of an upload's body, or of the range that a download asks for.
    package var offset: NumberTest?
    /// On the length of the request's body.
    package var length: NumberTest?
    package var status: StatusTest?
    package var path: Glob?

    package init(_ operation: OperationPattern) { self.operation = operation }

    package var silence: Duration? { nil }

    package func accepts(_ element: ExchangeRecord) -> Bool {
        guard operation.matches(element.operation) else { return false }
        if let offset, !(element.firstByte.map { offset.holds($0) } ?? false) { return false }
        if let length, !length.holds(element.bodyLength) { return false }
        if let status, !status.holds(element.status) { return false }
        if let path, !(element.path.map(path.matches) ?? false) { return false }
        return true
    }

    package func resembles(_ element: ExchangeRecord) -> Bool {
        operation.matches(element.operation)
    }

    package static func time(of element: ExchangeRecord) -> Duration { element.start }

    package var description: String { text(.once) }

    package func text(_ repetition: Repetition) -> String {
        "\(operation)\(repetition)\(conditions)"
    }

    /// The conditions as they are written behind the operation.
    package var conditions: String {
        var text = ""
        if let offset { text += " offset=\(offset)" }
        if let length { text += " length=\(length)" }
        if let status { text += " status=\(status)" }
        if let path { text += " path=\(path)" }
        return text
    }
}

extension ExchangeRecord {
    /// The first object byte that it is about; a download that names no range begins at 0.
    package var firstByte: Int64? { operation.isDownload ? offset ?? 0 : offset }

    /// The request's body length: the declared one, or what came where none was declared.
    package var bodyLength: Int64 { length ?? received }
}
