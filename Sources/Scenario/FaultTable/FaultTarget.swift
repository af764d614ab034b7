/// A request of an operation that a fault can meet.
package enum FaultTarget: String, Hashable, Sendable, CaseIterable {
    case uploadStart = "upload, its start"
    /// The second of two chunks that do not finish.
    case uploadChunk = "upload, a chunk"
    case uploadLast = "upload, its last chunk"
    case uploadWhole = "upload in one request, its body"
    /// After a chunk that was answered with 503.
    case uploadQuery = "upload, its query"
    case download = "download to a file"
    case downloadToMemory = "download to memory"
    /// By Range, after a break in the middle.
    case downloadResumed = "download, its second half"
    case metadata = "metadata, read"
    case metadataUpdate = "metadata, written"
    case delete = "delete"
    case list = "list"

    package static let everywhere = Set(allCases)
    package static let uploads: Set = [
        uploadStart, uploadChunk, uploadLast, uploadWhole, uploadQuery,
    ]
    /// Those that carry bytes of the object.
    package static let bodies: Set = [uploadChunk, uploadLast, uploadWhole]
    /// Those of them that finish the object.
    package static let last: Set = [uploadLast, uploadWhole]
    package static let ofSession: Set = [uploadChunk, uploadLast, uploadWhole, uploadQuery]
    package static let downloads: Set = [download, downloadToMemory, downloadResumed]
    package static let content = bodies.union(downloads)
    /// Those whose request has a body.
    package static let withRequestBody = bodies.union([uploadStart, metadataUpdate])
    /// Those whose answer has a body.
    package static let withAnswerBody = last.union(downloads).union([
        metadata, metadataUpdate, list,
    ])
    /// Those whose answer is JSON.
    package static let withJSON = last.union([metadata, metadataUpdate, list])
    /// One of each operation: what a fault of connections is shown with.
    package static let first: Set = [
        uploadStart, download, downloadToMemory, metadata, metadataUpdate, delete, list,
    ]

    package var isUpload: Bool { Self.uploads.contains(self) }
    package var isTransfer: Bool { isUpload || Self.downloads.contains(self) }

    /// The operation in the words of the language.
    package var operation: String {
        switch self {
        case .uploadStart: "upload.start"
        case .uploadChunk: "upload.chunk"
        case .uploadLast, .uploadWhole: "upload.finalize"
        case .uploadQuery: "upload.query"
        case .download, .downloadToMemory, .downloadResumed: "download"
        case .metadata: "metadata.get"
        case .metadataUpdate: "metadata.update"
        case .delete: "delete"
        case .list: "list"
        }
    }

    /// The ordinal of the request that meets a fault which comes once.
    package var ordinal: Int {
        switch self {
        case .uploadChunk, .downloadResumed: 2
        default: 1
        }
    }

    /// How many such requests there are where nothing is wrong.
    package var count: Int { ordinal }

    /// The selector of a fault.
    package func match(isEach: Bool) -> String {
        guard isEach else { return "\(operation)#\(ordinal)" }
        return self == .downloadResumed ? "download#2.." : operation
    }

    /// The fault that leads to the request, as an entry of `faults`; nil: it comes by itself.
    package var introduction: String? {
        switch self {
        case .uploadQuery: #"{match: "upload.chunk#2", per: run, do: {respond: 503}}"#
        case .downloadResumed:
            #"{match: "download#1", per: run, at: response-body 50%, do: {disconnect: reset}}"#
        default: nil
        }
    }

    static let uploaded = "docs/plan.pdf"
    static let stored = "films/short.mp4"

    package var path: String { isUpload ? Self.uploaded : Self.stored }

    /// The step, named `it`.
    package var step: String {
        switch self {
        case .uploadStart, .uploadChunk, .uploadLast, .uploadWhole, .uploadQuery:
            "{upload: \(Self.uploaded), as: it, data: {size: 600KiB, seed: 3}}"
        case .download, .downloadResumed: "{download: \(Self.stored), as: it, to: file}"
        case .downloadToMemory:
            "{download: \(Self.stored), as: it, to: memory, maxSize: 1MiB}"
        case .metadata: "{get-metadata: \(Self.stored), as: it}"
        case .metadataUpdate:
            "{update-metadata: \(Self.stored), as: it, set: {contentType: video/mp4}}"
        case .delete: "{delete: \(Self.stored), as: it}"
        case .list: "{list-all: films, as: it}"
        }
    }

    // MARK: Words of a title

    var subject: String {
        switch self {
        case .uploadStart, .uploadChunk, .uploadLast, .uploadWhole, .uploadQuery: "An upload"
        case .download: "A download to a file"
        case .downloadToMemory: "A download to memory"
        case .downloadResumed: "A download"
        case .metadata: "Reading metadata"
        case .metadataUpdate: "Writing metadata"
        case .delete: "Deleting an object"
        case .list: "Listing a folder"
        }
    }

    /// The request that meets the fault.
    var request: String {
        switch self {
        case .uploadStart: "its start"
        case .uploadChunk: "a chunk of it"
        case .uploadLast: "its last chunk"
        case .uploadWhole: "its only body"
        case .uploadQuery: "the query after a refused chunk"
        case .downloadResumed: "the request for its second half"
        case .download, .downloadToMemory, .metadata, .metadataUpdate, .delete, .list: "its request"
        }
    }

    /// The setting that ends its tries.
    var limit: String {
        if isUpload { return "maxUploadRetryTime" }
        return isTransfer ? "maxDownloadRetryTime" : "maxOperationRetryTime"
    }
}
