import Foundation

// The library's values in the words of the protocol.
extension StorageScenario {
    static let kinds = ["resume", "progress", "pause", "success", "failure"]

    static func status(of kind: String) -> StorageTaskStatus {
        switch kind {
        case "resume": .resume
        case "progress": .progress
        case "pause": .pause
        case "success": .success
        default: .failure
        }
    }

    static func view(_ snapshot: StorageTaskSnapshot, isEvent: Bool) -> Fields {
        var fields: Fields = ["completed": snapshot.progress?.completedUnitCount ?? 0]
        if let total = snapshot.progress?.totalUnitCount, total >= 0 { fields["total"] = total }
        fields["metadata"] = snapshot.metadata.map(texts)
        fields["error"] = snapshot.error.map(describe)
        if !isEvent {
            fields["status"] = kinds.first { status(of: $0) == snapshot.status }
        }
        return fields
    }

    // MARK: Errors

    /// Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageError.swift` (raw values).
    private static let codes = [
        -13000: "unknown", -13010: "objectNotFound", -13011: "bucketNotFound",
        -13012: "projectNotFound", -13013: "quotaExceeded", -13020: "unauthenticated",
        -13021: "unauthorized", -13030: "retryLimitExceeded", -13031: "nonMatchingChecksum",
        -13032: "downloadSizeExceeded", -13040: "cancelled", -13050: "invalidArgument",
        -13051: "bucketMismatch", -13052: "internalError", -13053: "pathError",
    ]

    private static let transportFaults = [
        NSURLErrorCannotConnectToHost: "refused", NSURLErrorNetworkConnectionLost: "reset",
        NSURLErrorTimedOut: "timed-out", NSURLErrorNotConnectedToInternet: "offline",
        NSURLErrorCannotFindHost: "resolve", NSURLErrorHTTPTooManyRedirects: "too-many-redirects",
        NSURLErrorBadServerResponse: "malformed",
    ]

    static func describe(_ error: any Error) -> Fields {
        let error = error as NSError
        let isOwn = error.domain == StorageErrorDomain
        var fields: Fields = [
            "code": (isOwn ? codes[error.code] : nil) ?? "other",
            "name": "\(error.domain) \(error.code)", "message": error.localizedDescription,
        ]
        fields["status"] = error.userInfo["ResponseErrorCode"] as? Int
        fields["body"] = error.userInfo["ResponseBody"] as? String
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        fields["transport"] =
            error.userInfo["TransportFault"] as? String
            ?? underlying.flatMap {
                $0.domain == NSURLErrorDomain ? transportFaults[$0.code] : nil
            }
        return fields
    }

    // MARK: Metadata

    static func texts(_ metadata: StorageMetadata) -> Fields {
        metadata.dictionaryRepresentation().filter {
            $0.value is String || $0.value is [String: String]
        }
    }

    /// Metadata that differs from what they began with by exactly these fields: the library sends
    /// what differs. Nil for a change that needs the server's metadata in hand.
    static func change(_ fields: Fields) -> StorageMetadata? {
        let custom = fields["metadata"] as? Fields
        guard custom != nil || fields["metadata"] == nil else { return nil }
        var before: Fields = fields.mapValues { _ in "before this change" }
        before["metadata"] = custom?.mapValues { _ in "before this change" }
        let metadata = StorageMetadata(dictionary: before)
        for (key, value) in fields {
            let text = value as? String
            switch key {
            case "cacheControl": metadata.cacheControl = text
            case "contentDisposition": metadata.contentDisposition = text
            case "contentEncoding": metadata.contentEncoding = text
            case "contentLanguage": metadata.contentLanguage = text
            case "contentType": metadata.contentType = text
            case "metadata": metadata.customMetadata = custom?.compactMapValues { $0 as? String }
            default: return nil
            }
        }
        return metadata
    }
}
