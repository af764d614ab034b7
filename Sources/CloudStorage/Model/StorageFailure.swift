package import Foundation
package import StorageModel

/// An error of this library as a value; the public surface shows it as an `NSError`.
package struct StorageFailure: Error, Hashable, Sendable {
    package var code: StorageErrorCode
    package var message: String
    /// HTTP status of the server's answer underneath.
    package var status: Int?
    /// How the connection failed underneath.
    package var transport: TransportFault?
    /// What failed in the program's own code underneath: a provider's error.
    package var cause: NSError?
    /// The same as a code of the domain `NSURLErrorDomain`.
    package var urlError: Int?
    /// The same as the system said it, an `errno`; nil where it said nothing.
    package var systemError: Int32?
    /// The server's answer as text.
    package var body: String?
    /// What is kept of the head of the server's answer.
    package var headers: [String: String] = [:]
    package var bucket: String?
    package var object: String?
    package var totalSize: Int64?
    package var maxAllowedSize: Int64?

    package init(_ code: StorageErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    static let httpDomain = "com.google.HTTPStatus"

    /// What the public surface hands out.
    package var nsError: NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[StorageErrorKey.bucket] = bucket
        info[StorageErrorKey.object] = object
        info[StorageErrorKey.responseBody] = body
        info[StorageErrorKey.responseHeaders] = headers.isEmpty ? nil : headers
        info[StorageErrorKey.totalSize] = totalSize
        info[StorageErrorKey.maxAllowedSize] = maxAllowedSize
        info[StorageErrorKey.transportFault] = transport?.rawValue
        if let status {
            info[StorageErrorKey.responseDomain] = Self.httpDomain
            info[StorageErrorKey.responseCode] = status
        }
        info[NSUnderlyingErrorKey] = underlying
        return StorageError(code, info)
    }

    /// The server's answer, or how the connection failed with what the system said of it, or what the
    /// program's own code failed with.
    private var underlying: NSError? {
        if let status {
            var info: [String: Any] = [:]
            info[StorageErrorKey.responseBody] = body
            info[StorageErrorKey.responseHeaders] = headers.isEmpty ? nil : headers
            return NSError(domain: Self.httpDomain, code: status, userInfo: info)
        }
        guard let urlError else { return cause }
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[StorageErrorKey.transportFault] = transport?.rawValue
        info[NSUnderlyingErrorKey] = systemError.map {
            NSError(domain: NSPOSIXErrorDomain, code: Int($0))
        }
        return NSError(domain: NSURLErrorDomain, code: urlError, userInfo: info)
    }

    /// Reads back what `nsError` wrote; nil for an error of another domain.
    package init?(_ error: any Error) {
        if let failure = error as? StorageFailure {
            self = failure
            return
        }
        let error = error as NSError
        guard error.domain == StorageErrorDomain,
            let code = StorageErrorCode(rawValue: error.code)
        else { return nil }
        self.init(code, error.localizedDescription)
        status = error.userInfo[StorageErrorKey.responseCode] as? Int
        body = error.userInfo[StorageErrorKey.responseBody] as? String
        headers = error.userInfo[StorageErrorKey.responseHeaders] as? [String: String] ?? [:]
        bucket = error.userInfo[StorageErrorKey.bucket] as? String
        object = error.userInfo[StorageErrorKey.object] as? String
        totalSize = error.userInfo[StorageErrorKey.totalSize] as? Int64
        maxAllowedSize = error.userInfo[StorageErrorKey.maxAllowedSize] as? Int64
        transport = (error.userInfo[StorageErrorKey.transportFault] as? String)
            .flatMap(TransportFault.init(rawValue:))
        guard status == nil, let under = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
            return
        }
        guard transport != nil else {
            cause = under
            return
        }
        urlError = under.code
        systemError = (under.userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32($0.code) }
    }

    /// The same in the words that all clients under test share.
    package var clientError: ClientError {
        let name = "\(code)"
        return ClientError(
            code: ErrorCode(rawValue: name) ?? .other, name: name, message: message,
            status: status, transport: transport, body: body)
    }
}
