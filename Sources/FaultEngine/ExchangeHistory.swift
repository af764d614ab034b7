import StorageModel

/// What came, by transfer: for messages about faults that never fired.
struct ExchangeHistory {
    struct Entry: Hashable {
        let operation: Operation
        let carriesBytes: Bool
        let offset: Int64?
        let length: Int64?
    }

    /// Entries kept of one transfer, and transfers kept: more are only counted.
    private static let bound = 200

    private(set) var ofTransfer: [CountingKey: [Entry]] = [:]
    /// Transfers in the order of their beginning.
    private(set) var keys: [CountingKey] = []
    private(set) var paths: [String] = []
    private(set) var counts: [Operation: Int] = [:]
    private(set) var total = 0

    mutating func add(_ facts: ExchangeFacts) {
        counts[facts.operation, default: 0] += 1
        if facts.operation == .connect { return }
        total += 1
        let key = facts.transfer.map(CountingKey.transfer) ?? .run
        let known = ofTransfer[key]?.count
        if known == nil {
            guard keys.count < Self.bound else { return }
            keys.append(key)
        }
        let entry = Entry(
            operation: facts.operation, carriesBytes: facts.carriesBytes, offset: facts.offset,
            length: facts.length)
        if known ?? 0 < Self.bound { ofTransfer[key, default: []].append(entry) }
        if let path = facts.path, paths.count < Self.bound, !paths.contains(path) {
            paths.append(path)
        }
    }

    /// `upload.start, upload.chunk x3 (bytes 0 to 768KiB), upload.finalize (bytes 768KiB to 1MiB)`
    static func text(of entries: [Entry]) -> String {
        var parts: [String] = []
        var index = 0
        while index < entries.count {
            var end = index + 1
            while end < entries.count, entries[end].operation == entries[index].operation {
                end += 1
            }
            parts.append(part(entries[index..<end]))
            index = end
        }
        guard parts.count > 8 else { return parts.joined(separator: ", ") }
        return parts.prefix(8).joined(separator: ", ") + ", and \(parts.count - 8) more"
    }

    private static func part(_ run: ArraySlice<Entry>) -> String {
        guard let first = run.first, let last = run.last else { return "" }
        var text = first.operation.rawValue
        if run.count > 1 { text += " x\(run.count)" }
        if first.operation.carriesObjectBytes, first.carriesBytes, let start = first.offset,
            let offset = last.offset, let length = last.length
        {
            text += " (bytes \(start.sizeText) to \((offset + length).sizeText))"
        }
        return text
    }
}
