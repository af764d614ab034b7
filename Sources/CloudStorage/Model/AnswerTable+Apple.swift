internal import StorageModel

extension AnswerTable {
    /// What the SDK for Apple platforms makes of answers. A refused token is not renewed, a lost session
    /// not begun anew, and a refusal that says that the session is active leads to a query, whatever
    /// its status, but for 404.
    ///
    /// Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageError.swift` (codes) and
    /// `Internal/StorageTokenAuthorizer.swift` (no renewal); gtm-session-fetcher,
    /// `Sources/Core/GTMSessionFetcher.m` and `GTMSessionUploadFetcher.m` (what is tried again).
    static let apple = AnswerTable(rows: [
        Row(404, .refused(.objectNotFound)),
        Row(400...499, .queried, at: .session, saying: .active),
        Row(401, .refused(.unauthenticated)),
        Row(402, .refused(.quotaExceeded)),
        Row(403, .refused(.unauthorized)),
        Row(408, .retried),
        Row(502...504, .retried),
    ])
}

extension TransportTable {
    /// Which breaks the SDK for Apple platforms tries again: a lost connection, silence, and no network;
    /// a refused connection is told at once.
    ///
    /// Source: gtm-session-fetcher, `Sources/Core/GTMSessionFetcher.m`; firebase-ios-sdk,
    /// `FirebaseStorage/Sources/Internal/StorageFetcherService.swift` (no network).
    static let apple: TransportTable = {
        var table = TransportTable.documented
        for fault in table.rows.keys {
            switch fault {
            case .reset, .closed, .cut, .timedOut, .offline: break
            case .refused, .resolve, .tls, .malformed, .oversizedHead, .tooManyRedirects:
                table.rows[fault]?.isRetried = false
            }
        }
        table.other.isRetried = false
        return table
    }()
}
