import Checksums
import ObjectStore
import StorageModel

/// Uploads in one request, and the start of those in several.
extension CallInProgress {
    func beginStart() {
        if call.hasMalformedSize {
            refuse(400, .malformedTotal)
        } else {
            intake = .collect([])
        }
    }

    func beginWholeUpload() {
        if call.operation == .uploadMedia {
            guard let path, let bucket = call.bucket else { return refuse(400, .missingName) }
            do throws(StoreError) { try store.checkName(path) } catch {
                earlyRefusal = ErrorAnswer.response(error)
                return
            }
            intake = .object(store.stage(path, in: bucket, declared: call.declaredLength))
            return
        }
        let type = call.head.headers["Content-Type"]
        guard let boundary = MultipartParser.boundary(of: type) else {
            earlyRefusal = Self.plain(
                "Bad content type. A multipart upload has the type multipart/related with a "
                    + "boundary.")
            return
        }
        intake = .multipart(MultipartParser(boundary: boundary), nil)
    }

    func feed(
        _ bytes: UnsafeRawBufferPointer, to parser: inout MultipartParser,
        _ body: inout StagedBody?
    ) {
        var contents: [[UInt8]] = []
        parser.feed(bytes) { contents.append($0) }
        if parser.hasMetadata, body == nil {
            path = path ?? (try? MetadataBody(parsing: parser.metadata))?.name
            body = store.stage(
                path ?? "", in: call.bucket ?? "", declared: call.declaredLength)
        }
        for content in contents { content.withUnsafeBytes { body?.append($0) } }
    }

    func finishStart() -> HTTPResponse {
        guard case .collect(let bytes) = intake else { return ErrorAnswer.tooLarge }
        if bytes.count > Self.metadataLimit { return ErrorAnswer.tooLarge }
        do {
            let metadata = try MetadataBody(parsing: bytes)
            path = path ?? metadata.name
            guard let path, let bucket = call.bucket else { return refusal(400, .missingName) }
            var opening = UploadSession.Opening(bucket: bucket, name: path)
            let headers = call.head.headers
            opening.fields = try metadata.fields()
            opening.fields.complete(
                type: headers["X-Goog-Upload-Header-Content-Type"]
                    ?? headers["X-Goog-Upload-Content-Type"], name: path)
            opening.declaredSize = call.announcedSize
            opening.precondition = try call.precondition()
            opening.announced = try metadata.announced().merging(announcedByHeaders())
            let type = opening.fields.contentType
            opening.refusal =
                refusalAtTheEnd
                ?? refusal(ofUploadTo: path, size: call.announcedSize, contentType: type)
            opening.sizeLimit = sizeLimit(ofUploadTo: path, contentType: type)
            let session = try store.open(
                opening, granularity: settings.granularity, lifetime: settings.sessionLifetime)
            self.session = session
            return startAnswer(session)
        } catch let error as StoreError {
            return ErrorAnswer.response(error)
        } catch {
            return malformed(error)
        }
    }

    private func startAnswer(_ session: UploadSession) -> HTTPResponse {
        let url = uploadURL(session)
        return HTTPResponse(
            status: 200,
            headers: [
                "X-Goog-Upload-Status": "active",
                "X-Goog-Upload-URL": url,
                "X-Goog-Upload-Control-URL": url,
                "X-Goog-Upload-Chunk-Granularity": String(session.granularity),
                "X-GUploader-UploadID": session.id,
            ])
    }

    /// The request's own URL, as the client reached it, and the session.
    private func uploadURL(_ session: UploadSession) -> String {
        var target = Substring(call.head.target)
        if !target.hasPrefix("/"), let scheme = target.firstIndex(of: ":") {
            let rest = target[target.index(after: scheme)...].drop { $0 == "/" }
            target = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        let host = call.head.headers["Host"] ?? "localhost"
        let mark = target.contains("?") ? "&" : "?"
        return "\(scheme)://\(host)\(target)\(mark)upload_id=\(session.id)"
            + "&upload_protocol=resumable"
    }

    func finishWholeUpload() -> HTTPResponse {
        do {
            switch intake {
            case .object(let body):
                var fields = ObjectFields()
                fields.complete(type: call.head.headers["Content-Type"], name: path ?? "")
                return try keep(body, fields, announcedByHeaders())
            case .multipart(let parser, let body): return try finishMultipart(parser, body)
            case .discard, .collect: return ErrorAnswer.tooLarge
            }
        } catch let error as StoreError {
            return ErrorAnswer.response(error)
        } catch {
            return malformed(error)
        }
    }

    private func finishMultipart(
        _ parser: MultipartParser, _ body: StagedBody?
    ) throws -> HTTPResponse {
        do throws(MultipartParser.Failure) { try parser.checkEnd() } catch {
            complain(.malformedBody(error.sentence))
            return Self.plain(error.sentence)
        }
        let metadata = try MetadataBody(parsing: parser.metadata)
        path = path ?? metadata.name
        guard let path, let body else { return refusal(400, .missingName) }
        var fields = try metadata.fields()
        fields.complete(type: parser.contentType, name: path)
        return try keep(body, fields, try metadata.announced().merging(announcedByHeaders()))
    }

    private func keep(
        _ body: StagedBody, _ fields: ObjectFields, _ announced: AnnouncedSums
    ) throws -> HTTPResponse {
        guard let path, let bucket = call.bucket else { return refusal(400, .missingName) }
        if let refusal = refusal(
            ofUploadTo: path, size: body.count, contentType: fields.contentType)
        {
            return ErrorAnswer.response(
                status: refusal.status, message: refusal.message ?? "Permission denied.")
        }
        if let status = settings.checksumMismatchStatus, body.refusal == nil,
            !announced.fit(body.sums)
        {
            return ErrorAnswer.response(
                status: status,
                message: "The content's checksum is not the one that was announced.")
        }
        let made = try store.put(
            body, as: path, in: bucket, fields: fields, precondition: try call.precondition())
        committed = body.count
        return ObjectResource.response(made.attributes)
    }

    /// Checksums in the headers `X-Goog-Hash` and `Content-MD5`; malformed ones are ignored.
    func announcedByHeaders() -> AnnouncedSums {
        var sums = AnnouncedSums()
        if let text = call.head.headers["Content-MD5"] { sums.take(md5: text) }
        for line in call.head.headers.values(of: "X-Goog-Hash") {
            for part in line.split(separator: ",") {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { continue }
                switch pair[0].trimmingSpaces.lowercased() {
                case "md5": sums.take(md5: String(pair[1].trimmingSpaces))
                case "crc32c": sums.crc32c = CRC32C.value(ofBase64: pair[1].trimmingSpaces)
                default: break
                }
            }
        }
        return sums
    }

    func refuse(_ status: Int, _ complaint: Complaint) { earlyRefusal = refusal(status, complaint) }

    func refusal(_ status: Int, _ complaint: Complaint) -> HTTPResponse {
        complain(complaint)
        return ErrorAnswer.response(status: status, message: complaint.sentence)
    }

    func malformed(_ error: any Error) -> HTTPResponse {
        let why = (error as? MetadataBody.Malformed)?.message ?? "The request is malformed."
        return refusal(400, .malformedBody(why))
    }

    /// Refusals of multipart uploads are plain text.
    private static func plain(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 400, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: ByteArraySource(Array(text.utf8)))
    }
}

extension AnnouncedSums {
    fileprivate mutating func take(md5 text: String) {
        if let bytes = Base64.decode(text), bytes.count == 16 { md5 = bytes }
    }
}

extension ObjectFields {
    /// Fills in what production gives every upload through this API.
    fileprivate mutating func complete(type: String?, name: String) {
        contentType = contentType ?? (type == "" ? nil : type) ?? "application/octet-stream"
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let file = PercentEncoding.encodeSegment(String(last))
        contentDisposition = contentDisposition ?? "inline; filename*=utf-8''\(file)"
    }
}

extension MultipartParser.Failure {
    var sentence: String {
        switch self {
        case .unfinished:
            "Failed to parse multipart request body part. The closing delimiter is missing."
        case .partCount(let count):
            "Unexpected number of parts in request body: \(count), where 2 are expected."
        case .malformed(let why): "Failed to parse multipart request body part. \(why)"
        }
    }
}
