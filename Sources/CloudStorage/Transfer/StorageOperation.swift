internal import Foundation

/// A request that is no transfer.
enum StorageOperation: Sendable {
    case downloadURL
    case getMetadata
    case updateMetadata([UInt8])
    case delete
    case list(maxResults: Int64, pageToken: String?)
    case listAll
}

/// What an operation gives: one of its values, nothing (a delete), or an error.
struct OperationResult: Sendable {
    struct Value: Sendable {
        var metadata: StorageMetadata?
        var url: URL?
        var list: StorageListResult?
    }

    var value: Value?
    var error: (any Error)?
}
