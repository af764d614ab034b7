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
    /// The server's answer as text.
    package var body: String?
    package var bucket: String?
    package var object: String?
    package var totalSize: Int64?
    package var maxAllowedSize: Int64?

    package init(_ code: StorageErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    static let httpDomain = "com.google.HTTPStatus"
    static let transportDomain = "StorageTransportFault"

    /// What the public surface hands out.
    package var nsError: NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[StorageErrorKey.bucket] = bucket
        info[StorageErrorKey.object] = object
        info[StorageErrorKey.responseBody] = body
        info[StorageErrorKey.totalSize] = totalSize
        info[StorageErrorKey.maxAllowedSize] = maxAllowedSize
        info[StorageErrorKey.transportFault] = transport?.rawValue
        if let status {
            info[StorageErrorKey.responseDomain] = Self.httpDomain
            info[StorageErrorKey.responseCode] = status
            info[NSUnderlyingErrorKey] = NSError(domain: Self.httpDomain, code: status)
        } else if let cause {
            info[NSUnderlyingErrorKey] = cause
        } else if let transport {
            info[NSUnderlyingErrorKey] = NSError(
                domain: Self.transportDomain, code: 0,
                userInfo: [NSLocalizedDescriptionKey: transport.rawValue])
        }
        return NSError(domain: StorageErrorDomain, code: code.rawValue, userInfo: info)
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
        bucket = error.userInfo[StorageErrorKey.bucket] as? String
        object = error.userInfo[StorageErrorKey.object] as? String
        totalSize = error.userInfo[StorageErrorKey.totalSize] as? Int64
        maxAllowedSize = error.userInfo[StorageErrorKey.maxAllowedSize] as? Int64
        transport = (error.userInfo[StorageErrorKey.transportFault] as? String)
            .flatMap(TransportFault.init(rawValue:))
        if status == nil, transport == nil {
            cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        }
    }

    /// The same in the words that all clients under test share.
    package var clientError: ClientError {
        let name = "\(code)"
        return ClientError(
            code: ErrorCode(rawValue: name) ?? .other, name: name, message: message,
            status: status, transport: transport, body: body)
    }
}
