import StorageModel

/// Which request is which operation. Source: the public REST API of Cloud Storage for Firebase.
enum Routes {
    static func classify(_ head: HTTPRequestHead) -> WireCall {
        let target = RequestTarget(head.target)
        var call = WireCall(head: head, target: target, operation: .unknown)
        call.credential = credential(head.headers)
        if head.method == "OPTIONS" {
            call.operation = .preflight
            locate(&call)
            return call
        }
        guard locate(&call) else {
            call.problem = .unknownRoute(head)
            return call
        }
        call.uploadID = nonEmpty(target.first("upload_id"))
        let method = effectiveMethod(head)
        switch method {
        case "POST", "PUT": classifyUpload(&call, method)
        case "GET", "HEAD": classifyRead(&call)
        case "PATCH" where call.path != nil: call.operation = .metadataUpdate
        case "DELETE":
            // Some published clients name the object in the query, as they do for uploads.
            call.path = call.path ?? nonEmpty(target.first("name"))
            guard call.path != nil else { fallthrough }
            call.operation = .delete
        default: call.problem = .unknownRoute(head)
        }
        return call
    }

    /// Reads bucket and object name; false where the path is none of the API's.
    @discardableResult
    private static func locate(_ call: inout WireCall) -> Bool {
        let segments = call.target.segments
        guard segments.count == 4 || segments.count == 5, segments[0] == "v0",
            segments[1] == "b", segments[3] == "o"
        else { return false }
        let bucket = PercentEncoding.decode(segments[2])
        guard !bucket.isEmpty else { return false }
        call.bucket = bucket
        call.path = segments.count == 5 ? nonEmpty(PercentEncoding.decode(segments[4])) : nil
        return true
    }

    /// `PATCH` may come as `POST` or `PUT` with `X-HTTP-Method-Override`.
    private static func effectiveMethod(_ head: HTTPRequestHead) -> String {
        guard head.method == "POST" || head.method == "PUT",
            let other = head.headers["X-HTTP-Method-Override"]
        else { return head.method }
        return other.uppercased()
    }

    private static func classifyRead(_ call: inout WireCall) {
        guard call.path != nil else {
            call.operation = .list
            call.path = call.target.first("prefix") ?? ""
            return
        }
        guard call.target.first("alt") == "media" else {
            call.operation = .metadataGet
            return
        }
        call.downloadToken = nonEmpty(call.target.first("token"))
        call.operation = call.downloadToken == nil ? .download : .downloadByURL
        call.range = call.head.headers["Range"].flatMap(RangeHeader.init)
        if case .from(let start, _) = call.range { call.offset = start }
    }

    private static func classifyUpload(_ call: inout WireCall, _ method: String) {
        let headers = call.head.headers
        call.path = call.path ?? nonEmpty(call.target.first("name"))
        if let text = headers["X-Goog-Upload-Command"] {
            call.command = WireCall.Command(header: text)
            if call.command == nil { call.problem = .unknownCommand(text) }
        }
        if call.uploadID != nil { return classifyFollowUp(&call) }
        guard method == "POST" else {
            call.problem = .unknownRoute(call.head)
            return
        }
        if call.problem != nil { return }
        if call.target.first("create_token") != nil {
            call.operation = .tokenCreate
        } else if call.target.first("delete_token") != nil {
            call.operation = .tokenDelete
        } else {
            classifyNewUpload(&call)
        }
    }

    private static func classifyNewUpload(_ call: inout WireCall) {
        let kind = call.target.first("uploadType")
        let upload = call.head.headers["X-Goog-Upload-Protocol"]?.lowercased() ?? kind
        switch (upload, call.command) {
        case (_, .start?):
            call.operation = .uploadStart
            let size =
                call.head.headers["X-Goog-Upload-Header-Content-Length"]
                ?? call.head.headers["X-Goog-Upload-Content-Length"]
            call.announcedSize = size.flatMap(number)
            call.hasMalformedSize = size != nil && call.announcedSize == nil
        case (_, .some(let command)): call.problem = .sessionMissing(command)
        case ("resumable", nil): call.problem = .missingCommand
        case ("multipart", nil): call.operation = .uploadMultipart
        default: call.operation = .uploadMedia
        }
    }

    private static func classifyFollowUp(_ call: inout WireCall) {
        call.offset = call.head.headers["X-Goog-Upload-Offset"].flatMap(number)
        switch call.command {
        case .upload: call.operation = .uploadChunk
        case .uploadFinalize, .finalize: call.operation = .uploadFinalize
        case .query: call.operation = .uploadQuery
        case .cancel: call.operation = .uploadCancel
        case .start: call.problem = .unknownCommand("start")
        case nil: call.problem = call.problem ?? .missingCommand
        }
    }

    private static func credential(_ headers: HTTPHeaders) -> WireCall.Credential? {
        guard let text = headers["Authorization"] else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let scheme = parts[0].lowercased()
        guard scheme == "firebase" || scheme == "bearer" else { return nil }
        let token = parts[1].trimmingSpaces
        return token.isEmpty ? nil : .init(scheme: String(parts[0]), token: String(token))
    }

    private static func number(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    private static func nonEmpty(_ text: String?) -> String? { text == "" ? nil : text }
}

extension WireCall.Command {
    /// Reads the header's value; spaces and case do not matter. Nil for an unknown command.
    fileprivate init?(header text: String) {
        let words = Set(
            text.lowercased().split(separator: ",").map { String($0.trimmingSpaces) })
        switch words {
        case ["upload", "finalize"]: self = .uploadFinalize
        case ["start"]: self = .start
        case ["upload"]: self = .upload
        case ["finalize"]: self = .finalize
        case ["query"]: self = .query
        case ["cancel"]: self = .cancel
        default: return nil
        }
    }
}
