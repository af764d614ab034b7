import StorageModel

extension ObjectStore {
    /// Starts an upload session.
    package func open(
        _ opening: UploadSession.Opening, granularity: Int64, lifetime: Duration
    ) throws(StoreError) -> UploadSession {
        _ = try bucket(opening.bucket)
        try checkName(opening.name)
        guard sessions.count < limits.openSessions else {
            throw .tooManySessions(limit: limits.openSessions)
        }
        let ordinal = sessionOrder.count + 1
        let session = UploadSession(
            id: newSessionID(ordinal), ordinal: ordinal, opening: opening,
            granularity: granularity, expiry: wallClock() + lifetime.nanoseconds / 1_000_000)
        sessions[session.id] = session
        sessionOrder.append(session.id)
        return session
    }

    /// The session with this id; nil where there is none or its life is over.
    package func session(_ id: String) -> UploadSession? {
        guard let session = sessions[id], wallClock() < session.expiry else { return nil }
        return session
    }

    /// Every session that was started, oldest first.
    package var allSessions: [UploadSession] { sessionOrder.compactMap { sessions[$0] } }
}
