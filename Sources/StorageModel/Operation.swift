/// What a request asks of the backend, in the words of the scenario language.
///
/// The raw value is the name that files, journals and messages use.
package enum Operation: String, Hashable, Sendable, CaseIterable {
    case connect
    case uploadStart = "upload.start"
    /// A request with object bytes that is not the last of its upload.
    case uploadChunk = "upload.chunk"
    /// The request that finishes an upload, with or without bytes.
    case uploadFinalize = "upload.finalize"
    case uploadQuery = "upload.query"
    case uploadCancel = "upload.cancel"
    case uploadMultipart = "upload.multipart"
    case uploadMedia = "upload.media"
    case download
    /// A download with a download token in its URL.
    case downloadByURL = "download.by-url"
    case metadataGet = "metadata.get"
    case metadataUpdate = "metadata.update"
    case delete
    case list
    case tokenCreate = "token.create"
    case tokenDelete = "token.delete"
    case preflight
    /// A request that fits no route.
    case unknown

    /// True for the requests that may carry object bytes: the group `upload.body`.
    package var carriesObjectBytes: Bool {
        switch self {
        case .uploadChunk, .uploadFinalize, .uploadMultipart, .uploadMedia: true
        case .connect, .uploadStart, .uploadQuery, .uploadCancel, .download, .downloadByURL,
            .metadataGet, .metadataUpdate, .delete, .list, .tokenCreate, .tokenDelete, .preflight,
            .unknown:
            false
        }
    }

    package var isUpload: Bool {
        switch self {
        case .uploadStart, .uploadChunk, .uploadFinalize, .uploadQuery, .uploadCancel,
            .uploadMultipart, .uploadMedia:
            true
        case .connect, .download, .downloadByURL, .metadataGet, .metadataUpdate, .delete, .list,
            .tokenCreate, .tokenDelete, .preflight, .unknown:
            false
        }
    }

    package var isDownload: Bool { self == .download || self == .downloadByURL }
}
