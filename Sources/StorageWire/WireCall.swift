package import StorageModel

/// A request as the dialect reads it from its head alone.
package struct WireCall: Hashable, Sendable {
    /// The value of `X-Goog-Upload-Command`.
    package enum Command: String, Hashable, Sendable, CaseIterable {
        case start
        case upload
        case uploadFinalize = "upload, finalize"
        case finalize
        case query
        case cancel
    }

    /// `Authorization: SCHEME TOKEN`; schemes `Firebase` and `Bearer` are understood.
    package struct Credential: Hashable, Sendable {
        package var scheme: String
        package var token: String

        package init(scheme: String, token: String) {
            self.scheme = scheme
            self.token = token
        }
    }

    package var head: HTTPRequestHead
    package var target: RequestTarget
    package var operation: Operation
    package var bucket: String?
    /// The object's name, unescaped; for `list` the prefix.
    package var path: String?
    package var command: Command?
    package var uploadID: String?
    /// First object byte of the body (`X-Goog-Upload-Offset`), or first byte of the range asked for.
    package var offset: Int64?
    /// Size of the object as the start request announces it.
    package var announcedSize: Int64?
    /// True where the start request announces a size that is no number.
    package var hasMalformedSize = false
    package var credential: Credential?
    package var range: RangeHeader?
    package var downloadToken: String?
    /// Why no route fits, in one sentence; the operation is then `unknown`.
    package var problem: Complaint?

    package init(head: HTTPRequestHead, target: RequestTarget, operation: Operation) {
        self.head = head
        self.target = target
        self.operation = operation
    }

    /// Declared length of the request's body; nil where it is not known before its end.
    package var declaredLength: Int64? { head.contentLength }

    /// True for the requests on an upload session's URL.
    package var isFollowUp: Bool { uploadID != nil }
}
