package import CloudStorage
import Foundation

/// What an observer was shown, as values: a snapshot copied at the moment of the call.
package struct Showing: Hashable, Sendable, CustomStringConvertible {
    package var status: StorageTaskStatus
    /// Bytes.
    package var completed: Int64
    /// Bytes in all; nil where the client does not know.
    package var total: Int64?
    /// Code of the error, and nil without one.
    package var code: Int?
    /// What the snapshot says of itself.
    package var text: String

    package init(
        _ status: StorageTaskStatus, completed: Int64, total: Int64?, code: Int? = nil,
        text: String = ""
    ) {
        self.status = status
        self.completed = completed
        self.total = total
        self.code = code
        self.text = text
    }

    package init(_ snapshot: StorageTaskSnapshot) {
        self.init(
            snapshot.status, completed: snapshot.completed, total: snapshot.total,
            code: snapshot.error.map { ($0 as NSError).code },
            // Of an error only what it says: its notes come in no order.
            text: snapshot.error?.localizedDescription ?? snapshot.description)
    }

    /// Stands for bytes that nothing is said about.
    package static let unsaid: Int64 = -1

    /// The same end, as far as both tell.
    func agrees(with other: Showing) -> Bool {
        guard completed != Self.unsaid, other.completed != Self.unsaid else {
            return status == other.status && code == other.code
        }
        return self == other
    }

    package var isEnd: Bool { status == .success || status == .failure }

    /// Status and code.
    package var name: String {
        guard let code else { return "\(status)" }
        return "\(status)(\(StorageErrorCode(rawValue: code).map { "\($0)" } ?? "\(code)"))"
    }

    package var description: String {
        "\(name)@\(completed)/\(total.map(String.init) ?? "?")"
    }
}
