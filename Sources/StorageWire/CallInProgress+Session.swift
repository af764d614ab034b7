import ObjectStore
import StorageModel

/// The requests of an upload session. Source: the state table of the Firebase resumable dialect.
extension CallInProgress {
    private var rule: UploadSession.OffsetRule {
        switch settings.offsetMismatch {
        case .refuse: .refuse
        case .append: .append
        case .overlap: .overlap
        }
    }

    private var carriesBytes: Bool { call.command == .upload || call.command == .uploadFinalize }

    private var isLast: Bool { call.operation == .uploadFinalize }

    func beginFollowUp() {
        guard let session = call.uploadID.flatMap({ store.session($0) }) else {
            earlyRefusal = ErrorAnswer.response(
                status: 404, message: "There is no such upload session.")
            return
        }
        self.session = session
        path = session.opening.name
        overlaps = session.isReceiving(besides: ObjectIdentifier(self))
        if store.isLocked(session) {
            earlyRefusal = answer(session, .locked)
            return
        }
        guard carriesBytes else { return }
        if call.offset == nil, rule != .append {
            complain(.missingOffset)
            earlyRefusal = status(
                ErrorAnswer.response(status: 400, message: Complaint.missingOffset.sentence),
                session)
            return
        }
        if let refusal = check(session, length: call.declaredLength) {
            blame(refusal, session)
            earlyRefusal = answer(session, refusal)
            return
        }
        session.began(ObjectIdentifier(self))
        let start = rule == .append ? session.received : call.offset ?? 0
        intake = .object(
            store.stage(
                session.opening.name, in: session.opening.bucket, start: start,
                declared: call.declaredLength, session: session))
    }

    func finishFollowUp(_ kept: KeptBytes) -> HTTPResponse {
        // It may have ended while the body came.
        guard let session, store.session(session.id) != nil else {
            return ErrorAnswer.response(status: 404, message: "Gone.")
        }
        switch call.command {
        case .query: return query(session)
        case .cancel: return cancel(session)
        case .upload, .uploadFinalize, .finalize: return take(session, kept)
        case .start, nil:
            return ErrorAnswer.response(status: 400, message: Complaint.missingCommand.sentence)
        }
    }

    /// Keeps bytes of a body whose connection broke.
    func keepCut(_ body: StagedBody, _ kept: KeptBytes) {
        guard let session, earlyRefusal == nil, check(session, length: nil) == nil else { return }
        let room = session.opening.declaredSize.map { max(0, $0 - body.start) }
        let limit = room.map { min($0, body.count) } ?? body.count
        let count = kept.count(
            received: limit, declared: call.declaredLength, start: body.start,
            granularity: session.granularity)
        let exact = kept.isLie ? kept : .exactly(count)
        committed = session.commit(body, keeping: exact, declared: nil, rule: rule)
    }

    private func take(_ session: UploadSession, _ kept: KeptBytes) -> HTTPResponse {
        if overlaps, carriesBytes, session.isReceiving(besides: ObjectIdentifier(self)) {
            complain(.overlappingRequests)
        }
        if call.command == .finalize, received > 0 {
            complain(.unexpectedBody)
            return status(
                ErrorAnswer.response(status: 400, message: Complaint.unexpectedBody.sentence),
                session)
        }
        if let refusal = check(session, length: received) {
            if !overlaps, !isOvertaken(refusal) { blame(refusal, session) }
            return answer(session, refusal)
        }
        if case .object(let body) = intake {
            if let refusal = body.refusal {
                return status(ErrorAnswer.response(refusal), session)
            }
            committed = session.commit(
                body, keeping: kept, declared: call.declaredLength, rule: rule)
        }
        if kept != .all { session.noteForgedAnswer() }
        let isWhole = committed == received && !kept.isLie
        return isLast && isWhole ? finalize(session) : progress(session)
    }

    private func progress(_ session: UploadSession) -> HTTPResponse {
        var answer = HTTPResponse(status: 200)
        answer.headers["X-Goog-Upload-Size-Received"] = String(session.told)
        return status(answer, session)
    }

    private func finalize(_ session: UploadSession) -> HTTPResponse {
        do throws(StoreError) {
            let outcome = try store.finish(
                session, announced: announcedByHeaders(),
                mismatchStatus: settings.checksumMismatchStatus, status: ErrorAnswer.status(of:))
            return answer(session, .finished(outcome))
        } catch {
            return status(ErrorAnswer.response(error), session)
        }
    }

    private func query(_ session: UploadSession) -> HTTPResponse {
        var answer = HTTPResponse(status: 200)
        if case .final(let outcome) = session.state, let object = object(of: outcome) {
            answer = ObjectResource.response(object)
        }
        if session.isOpen {
            answer.headers["X-Goog-Upload-Chunk-Granularity"] = String(session.granularity)
        }
        if session.state != .cancelled {
            answer.headers["X-Goog-Upload-Size-Received"] = String(session.told)
        }
        return status(answer, session)
    }

    private func cancel(_ session: UploadSession) -> HTTPResponse {
        if case .final = session.state {
            return status(
                ErrorAnswer.response(status: 400, message: "The upload is already finished."),
                session)
        }
        session.cancel()
        return status(HTTPResponse(status: 200), session)
    }

    /// The session's refusal of this request; nil where it takes it.
    private func check(_ session: UploadSession, length: Int64?) -> UploadSession.Refusal? {
        do throws(UploadSession.Refusal) {
            try session.check(
                offset: call.offset ?? session.told, length: length, isLast: isLast, rule: rule,
                takesAnyLength: hasOtherLength)
            return nil
        } catch { return error }
    }

    /// The object that came of a finished session, as it is now or as it was when it was replaced.
    private func object(of outcome: UploadSession.Outcome) -> ObjectAttributes? {
        guard let session, let generation = outcome.generation else { return nil }
        return store.object(
            session.opening.name, in: session.opening.bucket, generation: generation)?.attributes
    }

    private func status(_ answer: HTTPResponse, _ session: UploadSession) -> HTTPResponse {
        var answer = answer
        answer.headers["X-Goog-Upload-Status"] =
            switch session.state {
            case .active: "active"
            case .final: "final"
            case .cancelled: "cancelled"
            }
        return answer
    }

    private func answer(
        _ session: UploadSession, _ refusal: UploadSession.Refusal
    ) -> HTTPResponse {
        switch refusal {
        case .locked:
            let message = "The upload session is in use."
            return status(
                ErrorAnswer.response(status: settings.sessionInUseStatus, message: message),
                session)
        case .finished(let outcome): return repeated(outcome, session)
        case .offset(let sent, let wanted):
            let complaint = Complaint.offsetMismatch(sent: sent, wanted: wanted)
            var code = 400
            if case .refuse(let status) = settings.offsetMismatch { code = status }
            return status(
                ErrorAnswer.response(status: code, message: complaint.sentence), session)
        case .cancelled, .odd, .beyondEnd, .total:
            return status(
                ErrorAnswer.response(status: 400, message: sentence(refusal)), session)
        }
    }

    /// A finishing request that comes again gets its answer again; any other is refused.
    private func repeated(
        _ outcome: UploadSession.Outcome, _ session: UploadSession
    ) -> HTTPResponse {
        guard isLast, repeatsTheEnd(session) else {
            return status(
                ErrorAnswer.response(status: 400, message: sentence(.finished(outcome))), session)
        }
        if let object = object(of: outcome) {
            return status(ObjectResource.response(object, status: outcome.status), session)
        }
        let message = outcome.message ?? "The upload was refused."
        return status(
            ErrorAnswer.response(status: outcome.status, message: message), session)
    }

    /// True for a finishing request that ends where the session ended.
    private func repeatsTheEnd(_ session: UploadSession) -> Bool {
        guard carriesBytes, let offset = call.offset else { return true }
        guard let length = call.declaredLength else { return true }
        return offset.addingReportingOverflow(length).partialValue == session.received
    }

    private func sentence(_ refusal: UploadSession.Refusal) -> String {
        complaint(refusal)?.sentence ?? "The upload session does not take this request."
    }

    private func complaint(_ refusal: UploadSession.Refusal) -> Complaint? {
        switch refusal {
        case .locked: nil
        case .cancelled: .bytesAfterEnd("The upload was cancelled")
        case .finished: .bytesAfterEnd("The upload was already finished")
        case .offset(let sent, let wanted): .offsetMismatch(sent: sent, wanted: wanted)
        case .odd(let length, let granularity):
            .oddGranularity(length: length, granularity: granularity)
        case .beyondEnd(let end, let total): .beyondAnnouncedSize(end: end, total: total)
        case .total(let received, let announced):
            .totalMismatch(received: received, announced: announced)
        }
    }

    /// Complains, unless the request is a repetition that the protocol allows.
    private func blame(_ refusal: UploadSession.Refusal, _ session: UploadSession) {
        if case .finished = refusal, isLast, repeatsTheEnd(session) { return }
        if let complaint = complaint(refusal) { complain(complaint) }
    }
}

extension CallInProgress {
    /// Of a body that has come whole: the session took it when it began, and another was kept, or ended
    /// it, meanwhile. If that was wrong it is the other's mistake.
    private func isOvertaken(_ refusal: UploadSession.Refusal) -> Bool {
        switch refusal {
        case .offset: true
        case .cancelled, .finished: carriesBytes
        case .locked, .odd, .beyondEnd, .total: false
        }
    }
}
