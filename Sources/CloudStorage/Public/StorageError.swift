public import Foundation

/// Every error that this library reports: an `NSError` of the domain `StorageErrorDomain` with a code
/// of `StorageErrorCode` (rule D26).
///
///     do {
///         try await reference.delete()
///     } catch StorageError.objectNotFound {
///         // There was nothing.
///     } catch let error as StorageError {
///         switch error.kind {
///         case .unauthorized(let bucket, let object, _): ...
///
/// It is a class, because on Linux only an object can be taken for an `NSError` with `as?`, as the product
/// pages do.
public final class StorageError: NSError, @unchecked Sendable {
    // Invariant: nothing here changes after the initialiser.

    /// What went wrong, with what is known about it.
    ///
    /// `serverError` has the entries of `userInfo` that tell of the server's answer
    /// (`StorageErrorKey`), and is empty where there was none.
    ///
    /// Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageError.swift` (cases and payloads).
    public enum Kind: Sendable {
        /// Anything without a code of its own; the server's answer has to be inspected.
        case unknown(message: String, serverError: [String: any Sendable])
        /// No object is stored there.
        case objectNotFound(object: String, serverError: [String: any Sendable])
        /// There is no such bucket.
        case bucketNotFound(bucket: String)
        /// No project is set up for storage.
        case projectNotFound(project: String)
        /// The bucket's quota is used up.
        case quotaExceeded(bucket: String, serverError: [String: any Sendable])
        /// Nobody is signed in, or the credentials are no longer valid.
        case unauthenticated(serverError: [String: any Sendable])
        /// The user may not do this.
        case unauthorized(bucket: String, object: String, serverError: [String: any Sendable])
        /// The retry time was over before anything succeeded.
        case retryLimitExceeded
        /// The bytes that arrived are not those that were sent.
        case nonMatchingChecksum
        /// The object is larger than allowed; both in bytes.
        case downloadSizeExceeded(total: Int64, maxSize: Int64)
        /// The user cancelled.
        case cancelled
        /// The call makes no sense.
        case invalidArgument(message: String)
        /// A reference to another bucket than the storage's.
        case bucketMismatch(message: String)
        /// A fault in this library.
        case internalError(message: String)
        /// A URL that names no place in a bucket.
        case pathError(message: String)
    }

    init(_ code: StorageErrorCode, _ userInfo: [String: Any]) {
        super.init(domain: StorageErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Nil for what is not of this library's domain.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        guard domain == StorageErrorDomain else { return nil }
    }

    /// `code` as a value of its enumeration.
    public var errorCode: StorageErrorCode { StorageErrorCode(rawValue: code) ?? .unknown }

    /// The same with what is known about it, to be taken apart.
    public var kind: Kind {
        switch errorCode {
        case .unknown: .unknown(message: localizedDescription, serverError: serverError)
        case .objectNotFound: .objectNotFound(object: object, serverError: serverError)
        case .bucketNotFound: .bucketNotFound(bucket: bucket)
        case .projectNotFound: .projectNotFound(project: bucket)
        case .quotaExceeded: .quotaExceeded(bucket: bucket, serverError: serverError)
        case .unauthenticated: .unauthenticated(serverError: serverError)
        case .unauthorized:
            .unauthorized(bucket: bucket, object: object, serverError: serverError)
        case .retryLimitExceeded: .retryLimitExceeded
        case .nonMatchingChecksum: .nonMatchingChecksum
        case .downloadSizeExceeded:
            .downloadSizeExceeded(
                total: number(StorageErrorKey.totalSize),
                maxSize: number(StorageErrorKey.maxAllowedSize))
        case .cancelled: .cancelled
        case .invalidArgument: .invalidArgument(message: localizedDescription)
        case .bucketMismatch: .bucketMismatch(message: localizedDescription)
        case .internalError: .internalError(message: localizedDescription)
        case .pathError: .pathError(message: localizedDescription)
        }
    }

    private var bucket: String { userInfo[StorageErrorKey.bucket] as? String ?? "" }

    private var object: String { userInfo[StorageErrorKey.object] as? String ?? "" }

    private func number(_ key: String) -> Int64 { userInfo[key] as? Int64 ?? 0 }

    private var serverError: [String: any Sendable] {
        guard userInfo[StorageErrorKey.responseCode] != nil else { return [:] }
        var entries: [String: any Sendable] = [:]
        for (key, value) in userInfo where key != NSLocalizedDescriptionKey {
            switch value {
            case let text as String: entries[key] = text
            case let number as Int: entries[key] = number
            case let number as Int64: entries[key] = number
            case let texts as [String: String]: entries[key] = texts
            case let error as NSError: entries[key] = error
            default: break
            }
        }
        return entries
    }
}

// By these `catch StorageError.cancelled` knows its errors.
extension StorageError {
    /// For `catch` and `case`: anything without a code of its own; the server's answer has to be inspected.
    public static var unknown: StorageErrorCode { .unknown }
    /// For `catch` and `case`: no object is stored there.
    public static var objectNotFound: StorageErrorCode { .objectNotFound }
    /// For `catch` and `case`: there is no such bucket.
    public static var bucketNotFound: StorageErrorCode { .bucketNotFound }
    /// For `catch` and `case`: no project is set up for storage.
    public static var projectNotFound: StorageErrorCode { .projectNotFound }
    /// For `catch` and `case`: the bucket's quota is used up.
    public static var quotaExceeded: StorageErrorCode { .quotaExceeded }
    /// For `catch` and `case`: nobody is signed in, or the credentials are no longer valid.
    public static var unauthenticated: StorageErrorCode { .unauthenticated }
    /// For `catch` and `case`: the user may not do this.
    public static var unauthorized: StorageErrorCode { .unauthorized }
    /// For `catch` and `case`: the retry time was over before anything succeeded.
    public static var retryLimitExceeded: StorageErrorCode { .retryLimitExceeded }
    /// For `catch` and `case`: the bytes that arrived are not those that were sent.
    public static var nonMatchingChecksum: StorageErrorCode { .nonMatchingChecksum }
    /// For `catch` and `case`: the object is larger than allowed; both in bytes.
    public static var downloadSizeExceeded: StorageErrorCode { .downloadSizeExceeded }
    /// For `catch` and `case`: the user cancelled.
    public static var cancelled: StorageErrorCode { .cancelled }
    /// For `catch` and `case`: the call makes no sense.
    public static var invalidArgument: StorageErrorCode { .invalidArgument }
    /// For `catch` and `case`: a reference to another bucket than the storage's.
    public static var bucketMismatch: StorageErrorCode { .bucketMismatch }
    /// For `catch` and `case`: a fault in this library.
    public static var internalError: StorageErrorCode { .internalError }
    /// For `catch` and `case`: a URL that names no place in a bucket.
    public static var pathError: StorageErrorCode { .pathError }
}

extension StorageErrorCode {
    /// True for an error of this library with that code: `catch StorageError.cancelled`.
    public static func ~= (code: StorageErrorCode, error: any Error) -> Bool {
        (error as? StorageError)?.errorCode == code
    }
}
