package import ObjectStore
package import StorageModel

/// One request from its head to its answer. Confined like the store.
///
/// Begun when the head was read and the faults of that moment were carried out; ended by exactly
/// one of `finish` and `cut`.
package final class CallInProgress {
    /// What becomes of body bytes.
    enum Intake {
        case discard
        /// Metadata: kept whole, up to a limit.
        case collect([UInt8])
        case object(StagedBody)
        case multipart(MultipartParser, StagedBody?)
    }

    static let metadataLimit = 1 << 20

    package let call: WireCall
    package let settings: BackendSettings
    /// Who the request came from.
    package let caller: TokenRegistry.Verdict
    /// The session that the request names or started, if it is there.
    package internal(set) var session: UploadSession?
    /// The object's name: from the head, from the session, or from the JSON once it came.
    package internal(set) var path: String?
    /// Where it is known at the head that the request will be refused: the answer that `finish`
    /// gives. Whoever wants to answer early may send it at once; the body is thrown away anyway.
    package internal(set) var earlyRefusal: HTTPResponse?
    /// What the client did that it should not have done.
    package internal(set) var complaints: [Complaint] = []
    /// True where a fault made the body longer or shorter than it was sent: what comes of that is no
    /// whole number of granularity units, and is taken all the same.
    package var hasOtherLength = false
    /// Body bytes that came.
    package private(set) var received: Int64 = 0
    /// Object bytes of this request that are kept; known after `finish` or `cut`.
    package internal(set) var committed: Int64 = 0
    /// True where another body of the same session was being received when this request began.
    package internal(set) var overlaps = false
    let store: ObjectStore
    var intake = Intake.discard
    /// Of the URLs that answers give.
    let scheme: String

    init(
        _ call: WireCall, settings: BackendSettings, store: ObjectStore, tokens: TokenRegistry,
        scheme: String
    ) {
        self.call = call
        self.settings = settings
        self.store = store
        self.scheme = scheme
        path = call.path
        caller = tokens.judge(call.isFollowUp ? nil : call.credential)
        begin()
    }

    deinit { session?.ended(ObjectIdentifier(self)) }

    /// Takes body bytes, in their order; nothing of them is kept before `finish` or `cut`.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        received += Int64(bytes.count)
        switch intake {
        case .discard: break
        case .object(let body): body.append(bytes)
        case .collect(var collected):
            intake = .discard
            if collected.count <= Self.metadataLimit { collected += bytes }
            intake = .collect(collected)
        case .multipart(var parser, var body):
            intake = .discard
            feed(bytes, to: &parser, &body)
            intake = .multipart(parser, body)
        }
    }

    /// The request came whole: carries it out and gives the answer.
    ///
    /// - Parameter kept: what the session keeps of the body; anything but all of it leaves a
    ///   finishing request unfinished (status `active`).
    package func finish(keeping kept: KeptBytes = .all) -> HTTPResponse {
        let answer = carryOut(kept)
        session?.ended(ObjectIdentifier(self))
        intake = .discard
        return answer.readableAcrossOrigins
    }

    /// The request did not come whole, or is not to be carried out: only bytes of an upload
    /// session may be kept, and nothing is finished.
    package func cut(keeping kept: KeptBytes = .wholeUnits) {
        if case .object(let body) = intake { keepCut(body, kept) }
        session?.ended(ObjectIdentifier(self))
        intake = .discard
    }

    /// The client is gone, but the request goes on: its body no longer counts as being sent.
    package func clientLeft() { session?.ended(ObjectIdentifier(self)) }

    func complain(_ complaint: Complaint) {
        if session?.isTampered != true { complaints.append(complaint) }
    }
}

extension CallInProgress {
    /// Everything that is known from the head.
    private func begin() {
        if call.operation == .preflight { return }
        if let problem = call.problem { return refuseUnknown(problem) }
        if let refusal = accessRefusal() {
            earlyRefusal = refusal
            return
        }
        if let bucket = call.bucket {
            do throws(StoreError) { try store.requireBucket(bucket) } catch {
                earlyRefusal = ErrorAnswer.response(error)
                return
            }
        }
        switch call.operation {
        case .uploadStart: beginStart()
        case .uploadMedia, .uploadMultipart: beginWholeUpload()
        case .uploadChunk, .uploadFinalize, .uploadQuery, .uploadCancel: beginFollowUp()
        case .metadataUpdate: intake = .collect([])
        case .connect, .download, .downloadByURL, .metadataGet, .delete, .list, .tokenCreate,
            .tokenDelete, .preflight, .unknown:
            break
        }
    }

    private func refuseUnknown(_ problem: Complaint) {
        complain(problem)
        let status = problem.kind == .unknownRoute ? 404 : 400
        earlyRefusal = ErrorAnswer.response(status: status, message: problem.sentence)
    }

    private func carryOut(_ kept: KeptBytes) -> HTTPResponse {
        if let earlyRefusal { return earlyRefusal }
        switch call.operation {
        case .preflight: return CrossOrigin.preflight(call.head)
        case .uploadStart: return finishStart()
        case .uploadMedia, .uploadMultipart: return finishWholeUpload()
        case .uploadChunk, .uploadFinalize, .uploadQuery, .uploadCancel:
            return finishFollowUp(kept)
        case .download, .downloadByURL, .metadataGet, .metadataUpdate, .delete, .list,
            .tokenCreate, .tokenDelete:
            do throws(StoreError) { return try finishObjectCall() } catch {
                return ErrorAnswer.response(error)
            }
        case .connect, .unknown:
            return ErrorAnswer.response(status: 404, message: "There is nothing here.")
        }
    }
}

extension HTTPResponse {
    /// With the headers that let a page of another origin read it.
    var readableAcrossOrigins: HTTPResponse {
        var answer = self
        for field in CrossOrigin.answerHeaders.fields where answer.headers[field.name] == nil {
            answer.headers.add(field.name, field.value)
        }
        return answer
    }
}
