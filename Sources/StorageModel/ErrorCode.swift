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

    /// The code of an answer that refuses a request for good, by its status alone.
    ///
    /// Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageError.swift`.
    package init(ofRefusal status: Int) {
        switch status {
        case 401: self = .unauthenticated
        case 402: self = .quotaExceeded
        case 403: self = .unauthorized
        case 404: self = .objectNotFound
        default: self = .unknown
        }
    }
}
