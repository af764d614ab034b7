internal import StorageModel

/// Requests in the words of messages.
struct RequestText {
    /// True where the log is about several objects, so that each line says which.
    private let showsPaths: Bool

    init(_ log: [ExchangeRecord]) { showsPaths = Set(log.map(\.path)).count > 1 }

    /// `upload.chunk offset=256 KiB length=256 KiB status=200`
    func seen(_ exchange: ExchangeRecord) -> String {
        var text = exchange.operation.rawValue
        if let offset = exchange.firstByte { text += " offset=\(offset.sizeText)" }
        if exchange.operation.carriesObjectBytes {
            text += " length=\(exchange.bodyLength.sizeText)"
        }
        text += " status=\(exchange.status.map(String.init) ?? "none")"
        if showsPaths, let path = exchange.path { text += " path=\(Shortened.text(path))" }
        return text
    }

    func run(_ first: ExchangeRecord, _ last: ExchangeRecord, _ count: Int) -> String {
        "\(first.operation.rawValue) x\(count), requests \(first.ordinal) to \(last.ordinal)"
    }

    func cause(_ exchange: ExchangeRecord) -> String? {
        var words = exchange.faults.map { "fault '\($0.name)'" }
        if exchange.status == nil, exchange.ending == .clientLeft {
            words.append("the client left")
        }
        if exchange.resendOf != nil { words.append("sent again by the transport itself") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
