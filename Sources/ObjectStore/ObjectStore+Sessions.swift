import StorageModel

extension ObjectStore {
    /// Starts an upload session.
    package func open(
        _ opening: UploadSession.Opening, granularity: Int64, lifetime: Duration
    ) throws(StoreError) -> UploadSession {
        try requireBucket(opening.bucket)
        try checkName(opening.name)
        if let size = opening.declaredSize, size > limits.objectSize {
            throw .objectTooLarge(limit: limits.objectSize)
        }
        if sessions.count >= limits.sessions { forgetExpiredSessions() }
        if sessions.count >= limits.sessions { forgetEndedSessions() }
        guard sessions.count < limits.sessions else {
            throw .tooManySessions(limit: limits.sessions)
        }
        sessionCount += 1
        let session = UploadSession(
            id: newSessionID(sessionCount), ordinal: sessionCount, opening: opening,
            granularity: max(1, granularity),
            expiry: wallClock() + lifetime.components.seconds * 1000
                + lifetime.components.attoseconds / 1_000_000_000_000_000)
        sessions[session.id] = session
        return session
    }

    /// The session with this id; nil where there is none or its life is over.
    package func session(_ id: String) -> UploadSession? {
        guard let session = sessions[id], wallClock() < session.expiry else { return nil }
        return session
    }

    /// The session with this id, even if its life is over.
    package func session(evenExpired id: String) -> UploadSession? { sessions[id] }

    /// Every session that is remembered, oldest first.
    package var allSessions: [UploadSession] {
        sessions.values.sorted { $0.ordinal < $1.ordinal }
    }

    /// True while the session answers everything with "in use".
    package func isLocked(_ session: UploadSession) -> Bool { session.isLocked(at: wallClock()) }

    /// Makes an object of what an open session holds; whatever comes of it is the session's end,
    /// apart from `.full`, after which the same request may come again.
    ///
    /// - Returns: how the session ended.
    package func finish(
        _ session: UploadSession, announced: AnnouncedSums, mismatchStatus: Int?,
        status: (StoreError) -> Int
    ) throws(StoreError) -> UploadSession.Outcome {
        if let refusal = session.opening.refusal {
            session.end(as: .final(refusal))
            return refusal
        }
        let opening = session.opening
        if let limit = opening.sizeLimit, session.received > limit.size {
            session.end(as: .final(limit.refusal))
            return limit.refusal
        }
        let sums = session.sums(limit: limits.summedSize)
        if let mismatchStatus, !opening.announced.merging(announced).fit(sums) {
            let outcome = UploadSession.Outcome(
                status: mismatchStatus,
                message: "The content's checksum is not the one that was announced.")
            session.end(as: .final(outcome))
            return outcome
        }
        var outcome: UploadSession.Outcome
        do throws(StoreError) {
            let made = try insert(
                session.content, sums: sums, name: opening.name, bucket: opening.bucket,
                fields: opening.fields, precondition: opening.precondition, mintsToken: true)
            outcome = UploadSession.Outcome(status: 200, generation: made.attributes.generation)
        } catch {
            if error == .full { throw error }
            outcome = UploadSession.Outcome(status: status(error), message: error.description)
        }
        session.end(as: .final(outcome))
        return outcome
    }

    func forgetExpiredSessions() {
        sessions = sessions.filter { wallClock() < $0.value.expiry }
    }

    /// Forgets the older half of the sessions that ended.
    private func forgetEndedSessions() {
        let ended = allSessions.filter { !$0.isOpen }
        for session in ended.prefix((ended.count + 1) / 2) { sessions[session.id] = nil }
    }
}
