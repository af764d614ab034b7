/// What went wrong, as the code of an `NSError` in the domain `StorageErrorDomain` (rule D26).
///
/// Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageError.swift` (raw values).
public enum StorageErrorCode: Int, Hashable, Sendable, CaseIterable {
    /// Anything without a code of its own: inspect the server's answer kept on the error.
    case unknown = -13000
    /// No object is stored at the reference.
    case objectNotFound = -13010
    /// No bucket of that name exists.
    case bucketNotFound = -13011
    /// No project is set up for storage.
    case projectNotFound = -13012
    /// The bucket's quota is used up.
    case quotaExceeded = -13013
    /// The user is not signed in, or the credentials are no longer valid.
    case unauthenticated = -13020
    /// The user may not do this.
    case unauthorized = -13021
    /// The operation failed again and again until its retry time was over.
    case retryLimitExceeded = -13030
    /// The bytes that arrived are not the bytes that were sent.
    case nonMatchingChecksum = -13031
    /// The object is larger than the memory set aside for it.
    case downloadSizeExceeded = -13032
    /// The user cancelled the transfer.
    case cancelled = -13040
    /// An argument of the call makes no sense.
    case invalidArgument = -13050
    /// A reference was made for another bucket than the storage's own.
    case bucketMismatch = -13051
    /// A fault in this library.
    case internalError = -13052
    /// A URL that names no place in a bucket.
    case pathError = -13053
}

/// The domain of every error that this library reports.
// The product spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let StorageErrorDomain = "FIRStorageErrorDomain"

/// Keys of an error's `userInfo`, beside those of Foundation.
public enum StorageErrorKey {
    /// Domain of the server's answer underneath: `com.google.HTTPStatus`.
    public static let responseDomain = "ResponseErrorDomain"
    /// HTTP status of the server's answer, an `Int`.
    public static let responseCode = "ResponseErrorCode"
    /// Body of the server's answer as text, at most its first 64 KiB.
    public static let responseBody = "ResponseBody"
    /// What is kept of the head of the server's answer, a `[String: String]`: `Content-Type`, `Date`,
    /// `Retry-After`, `WWW-Authenticate`, `X-Goog-Upload-Status`, `X-Goog-Upload-Size-Received`.
    public static let responseHeaders = "ResponseHeaders"
    /// How the connection failed, one of `refused`, `resolve`, `reset`, `closed`, `cut`, `timed-out`,
    /// `offline`, `tls`, `malformed`, `oversized-head`. The error underneath has a code of the domain
    /// `NSURLErrorDomain` for it, and below that what the system said, in `NSPOSIXErrorDomain`.
    public static let transportFault = "TransportFault"
    /// The bucket that was asked for.
    public static let bucket = "bucket"
    /// Full path of the object that was asked for.
    public static let object = "object"
    /// Size of an object that is too large, an `Int64`.
    public static let totalSize = "totalSize"
    /// The limit that it exceeds, an `Int64`.
    public static let maxAllowedSize = "maxAllowedSize"
}
