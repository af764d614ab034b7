package import StorageModel

/// Names a transfer: everything asked for one object in one direction.
package struct TransferID: Hashable, Sendable {
    package enum Direction: String, Hashable, Sendable {
        case upload
        case download
        /// Metadata, deletions, tokens: one for each object, without an end.
        case other
    }

    package let bucket: String
    package let path: String
    package let direction: Direction
    /// 1, 2, ... among the transfers of this object in this direction.
    package let number: Int
    /// 1, 2, ... among all uploads and downloads of the run; nil for other requests.
    package let ordinal: Int?
}

/// Tells which transfer a request belongs to.
///
/// A transfer lasts until its client was told that an upload is stored or cancelled, or was sent a
/// download whole. What names an upload session belongs to the session's transfer for ever.
package struct TransferTracker: Sendable {
    private struct Key: Hashable {
        let bucket: String
        let path: String
        let direction: TransferID.Direction
    }

    private struct Current {
        var id: TransferID
        var hasBodyBytes = false
        var isOver = false
    }

    /// True: a new `upload.start` after body bytes begins a new transfer.
    private let isServed: Bool
    private var current: [Key: Current] = [:]
    private var ofSession: [Int: TransferID] = [:]
    private var sessions: [Int] = []
    private var count = 0
    /// Transfers after which another one of the same object began, oldest first.
    private var past: [TransferID] = []
    /// Sessions whose transfers are remembered; the store forgets them at about this number too.
    private static let sessionLimit = 10_000
    /// So many past transfers may still have requests under way.
    private static let pastLimit = 1000

    package init(isServed: Bool = false) { self.isServed = isServed }

    /// The transfer of a request; nil for one without an object.
    package mutating func transfer(
        of operation: Operation, bucket: String?, path: String?, session: Int?
    ) -> TransferID? {
        if let session, let known = ofSession[session] { return known }
        guard let bucket, let path, operation != .list else { return nil }
        let key = Key(bucket: bucket, path: path, direction: Self.direction(of: operation))
        if let known = current[key], !begins(operation, after: known) { return known.id }
        let number = (current[key]?.id.number ?? 0) + 1
        if let before = current[key]?.id { past.append(before) }
        var ordinal: Int?
        if key.direction != .other {
            count += 1
            ordinal = count
        }
        let id = TransferID(
            bucket: bucket, path: path, direction: key.direction, number: number, ordinal: ordinal)
        current[key] = Current(id: id)
        return id
    }

    /// A session was made for the transfer.
    package mutating func bind(session: Int, to id: TransferID) {
        ofSession[session] = id
        sessions.append(session)
        guard sessions.count >= 2 * Self.sessionLimit else { return }
        for old in sessions.prefix(Self.sessionLimit) { ofSession[old] = nil }
        sessions.removeFirst(Self.sessionLimit)
    }

    /// Transfers of which nothing is to be remembered any more; empty most of the time.
    mutating func takeForgotten() -> [TransferID] {
        guard past.count >= 2 * Self.pastLimit else { return [] }
        defer { past.removeFirst(Self.pastLimit) }
        return Array(past.prefix(Self.pastLimit))
    }

    /// Body bytes of the transfer came.
    package mutating func noteBytes(of id: TransferID) {
        change(id) { $0.hasBodyBytes = true }
    }

    /// The client was told that the upload is stored or cancelled, or has been sent the download whole.
    package mutating func finish(_ id: TransferID) {
        guard id.direction != .other else { return }
        change(id) { $0.isOver = true }
    }

    private mutating func change(_ id: TransferID, _ body: (inout Current) -> Void) {
        let key = Key(bucket: id.bucket, path: id.path, direction: id.direction)
        guard var entry = current[key], entry.id == id else { return }
        body(&entry)
        current[key] = entry
    }

    private func begins(_ operation: Operation, after known: Current) -> Bool {
        known.isOver || isServed && operation == .uploadStart && known.hasBodyBytes
    }

    private static func direction(of operation: Operation) -> TransferID.Direction {
        if operation.isUpload { return .upload }
        return operation.isDownload ? .download : .other
    }
}
