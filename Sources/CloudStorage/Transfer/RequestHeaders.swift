internal import StorageModel

/// What a request asks of the service, as far as its method and its header fields are concerned.
package enum RequestKind: Hashable, Sendable, CaseIterable {
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
    package static let session: Set<RequestKind> = [.chunk, .query, .cancel]

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
package struct RequestHeaders: Hashable, Sendable {
    /// Where the value of a field comes from.
    package enum Source: Hashable, Sendable {
        case userToken
        case appCheckToken
        case appID
        case text(String)
        case command
        case size
        case type
        case offset
        case range
        case unless

        /// Nil: the request has nothing of the kind.
        func value(_ values: RequestValues) -> String? {
            switch self {
            case .userToken: values.userToken.map { "Firebase \($0)" }
            case .appCheckToken: values.appCheckToken
            case .appID: values.appID
            case .text(let text): text
            case .command: values.command
            case .size: values.size.map { "\($0)" }
            case .type: values.type
            case .offset: values.offset.map { "\($0)" }
            case .range: values.from.map { "bytes=\($0)-" }
            case .unless: values.unless
            }
        }
    }

    package struct Row: Hashable, Sendable {
        package var name: String
        package var kinds: Set<RequestKind>
        package var source: Source

        init(_ name: String, _ kinds: Set<RequestKind>, _ source: Source) {
            self.name = name
            self.kinds = kinds
            self.source = source
        }
    }

    static let version = "1.0"
    private static let all = Set(RequestKind.allCases)
    private static let upload = RequestKind.session.union([.start])

    package static let standard = RequestHeaders(rows: [
        Row("Authorization", all, .userToken),
        Row("X-Firebase-AppCheck", all, .appCheckToken),
        Row("X-Firebase-GMPID", all, .appID),
        Row("X-Firebase-Storage-Version", all, .text("linux/\(version)")),
        Row("User-Agent", all, .text("CloudStorage/\(version)")),
        Row("Content-Type", [.start, .update], .text("application/json; charset=UTF-8")),
        Row("X-Goog-Upload-Protocol", upload, .text("resumable")),
        Row("X-Goog-Upload-Command", upload, .command),
        Row("X-Goog-Upload-Content-Length", [.start], .size),
        Row("X-Goog-Upload-Content-Type", [.start], .type),
        Row("X-Goog-Upload-Offset", [.chunk], .offset),
        Row("Range", [.media], .range),
        Row("If-None-Match", [.media], .unless),
    ])

    package var rows: [Row]

    /// The fields of one request, in the order of the table. Texts that come from the program cannot
    /// begin another field: control characters are left out.
    func fields(of kind: RequestKind, _ values: RequestValues) -> HTTPHeaders {
        var fields = HTTPHeaders()
        for row in rows where row.kinds.contains(kind) {
            guard let value = row.source.value(values) else { continue }
            fields.add(row.name, HeaderText.clean(value))
        }
        return fields
    }
}
