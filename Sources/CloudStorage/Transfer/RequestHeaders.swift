internal import StorageModel

/// What a request asks of the service, as far as its method and its header fields are concerned.
enum RequestKind: Hashable, Sendable, CaseIterable {
    case start
    case chunk
    case query
    case cancel
    case media
    case metadata
    case update
    case delete
    case list

    /// The requests that name an upload's session.
    static let session: Set<RequestKind> = [.chunk, .query, .cancel]

    var method: String {
        switch self {
        case .start, .chunk, .query, .cancel: "POST"
        case .media, .metadata, .list: "GET"
        case .update: "PATCH"
        case .delete: "DELETE"
        }
    }
}

/// What the fields of one request are made from; nil: the request has no such field.
struct RequestValues: Hashable, Sendable {
    var userToken: String?
    var appCheckToken: String?
    var appID: String?
    var command: String?
    var offset: Int64?
    var size: Int64?
    var type: String?
    /// First byte that is asked for.
    var from: Int64?
    /// Entity tag of the content that is not wanted again.
    var unless: String?
}

/// The header fields that the library sends, as one table: which requests carry a field, and its value.
///
/// They are those of the Apple SDK, with two exceptions. The user's token goes with the requests of an
/// upload's session, too: without it a token that is refused there could not be renewed. And the library
/// tells its own name and version.
/// Source: firebase-ios-sdk, `FirebaseStorage/Sources/Internal/StorageTokenAuthorizer.swift`,
/// `StorageUploadTask.swift`; gtm-session-fetcher, `GTMSessionUploadFetcher.m`.
struct RequestHeaders: Sendable {
    struct Row: Sendable {
        var name: String
        var kinds: Set<RequestKind>
        var value: @Sendable (RequestValues) -> String?
    }

    static let version = "1.0"
    private static let all = Set(RequestKind.allCases)
    private static let upload = RequestKind.session.union([.start])

    static let standard = RequestHeaders(rows: [
        Row(name: "Authorization", kinds: all) { $0.userToken.map { "Firebase \($0)" } },
        Row(name: "X-Firebase-AppCheck", kinds: all) { $0.appCheckToken },
        Row(name: "X-Firebase-GMPID", kinds: all) { $0.appID },
        Row(name: "X-Firebase-Storage-Version", kinds: all) { _ in "linux/\(version)" },
        Row(name: "User-Agent", kinds: all) { _ in "CloudStorage/\(version)" },
        Row(name: "Content-Type", kinds: [.start, .update]) { _ in
            "application/json; charset=UTF-8"
        },
        Row(name: "X-Goog-Upload-Protocol", kinds: upload) { _ in "resumable" },
        Row(name: "X-Goog-Upload-Command", kinds: upload) { $0.command },
        Row(name: "X-Goog-Upload-Content-Length", kinds: [.start]) { $0.size.map { "\($0)" } },
        Row(name: "X-Goog-Upload-Content-Type", kinds: [.start]) { $0.type },
        Row(name: "X-Goog-Upload-Offset", kinds: [.chunk]) { $0.offset.map { "\($0)" } },
        Row(name: "Range", kinds: [.media]) { $0.from.map { "bytes=\($0)-" } },
        Row(name: "If-None-Match", kinds: [.media]) { $0.unless },
    ])

    var rows: [Row]

    /// The fields of one request, in the order of the table. Texts that come from the program cannot
    /// begin another field: control characters are left out.
    func fields(of kind: RequestKind, _ values: RequestValues) -> HTTPHeaders {
        var fields = HTTPHeaders()
        for row in rows where row.kinds.contains(kind) {
            guard let value = row.value(values) else { continue }
            fields.add(row.name, HeaderText.clean(value))
        }
        return fields
    }
}
