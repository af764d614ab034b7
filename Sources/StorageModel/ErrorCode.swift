/// The canonical error codes, by their names in the product's `StorageErrorCode` (rule D26).
package enum ErrorCode: String, Hashable, Sendable, CaseIterable {
    case unknown
    case objectNotFound
    case bucketNotFound
    case projectNotFound
    case quotaExceeded
    case unauthenticated
    case unauthorized
    case retryLimitExceeded
    case nonMatchingChecksum
    case downloadSizeExceeded
    case cancelled
    case invalidArgument
    case bucketMismatch
    case internalError
    case pathError
    /// An error of the client that has no canonical name.
    case other
}
