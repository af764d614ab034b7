import EventLoop
package import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// What happens to the backend itself: by faults, and by the step `backend`.
extension MockServer {
    /// Carries out a backend step.
    ///
    /// - Throws: `MockServerError` for an object or an upload session that is not there, or content
    ///   that cannot be read.
    package func apply(_ action: BackendAction) throws(MockServerError) {
        switch action {
        case .session(let action):
            let session = store.allSessions.last { $0.state == .active }
            guard let session else { throw .noSession }
            apply(action, to: session)
        case .object(let action): try apply(action)
        case .token(.expire(let name)): tokens.expire(name)
        case .server(let action): apply(action)
        case .link(let state): apply(state)
        }
    }

    /// The same for a fault: on the exchange's own session. What cannot be done is a problem of the
    /// scenario; the fault's other actions follow all the same.
    func carryOut(_ action: BackendAction, of rule: FaultRule, _ run: ExchangeRun) {
        do throws(MockServerError) {
            if case .session(let action) = action {
                guard let session = session(of: run) else { throw .noSession }
                apply(action, to: session)
            } else {
                try apply(action)
            }
        } catch {
            let problem = FaultProblem(rule: rule, reason: error.description)
            problems.append(problem)
            tell(.problem(run.record, problem))
        }
    }

    private func apply(_ action: SessionAction, to session: UploadSession) {
        switch action {
        case .expire: session.expire()
        case .cancel: session.cancelByFault()
        case .lock(let time):
            session.lock(until: store.wallClock() + time.nanoseconds / 1_000_000)
        case .lose(let bytes): session.lose(bytes)
        case .claim(let bytes): session.claim(bytes)
        }
    }

    private func apply(_ action: ObjectAction) throws(MockServerError) {
        switch action {
        case .delete(let path):
            let place = ObjectKey(path: path, defaultBucket: base)
            try told(path) { () throws(StoreError) in
                try store.delete(place.name, in: place.bucket)
            }
        case .replace(let path, let content):
            try replace(ObjectKey(path: path, defaultBucket: base), path, content)
        case .touch(let path):
            let place = ObjectKey(path: path, defaultBucket: base)
            try told(path) { () throws(StoreError) in
                try store.touch(place.name, in: place.bucket)
            }
        }
    }

    /// The new content keeps the content type of the old one.
    private func replace(
        _ place: ObjectKey, _ path: String, _ content: Content
    ) throws(MockServerError) {
        let source = try GivenContent.source(of: content)
        var fields = ObjectFields()
        if let old = try? store.object(place.name, in: place.bucket).attributes {
            fields.contentType = old.contentType
        }
        if content.isGzipped { fields.contentEncoding = "gzip" }
        try told(path) { () throws(StoreError) in
            let stored = try store.stored(source, isGzipped: content.isGzipped)
            try store.put(stored, as: place.name, in: place.bucket, fields: fields)
        }
    }

    private func told(
        _ path: String, _ work: () throws(StoreError) -> Void
    ) throws(MockServerError) {
        do { try work() } catch { throw .badObject(path: path, reason: error.description) }
    }

    private func apply(_ action: ServerAction) {
        switch action {
        case .restart(let keepsSessions, let down):
            if !keepsSessions { for session in store.allSessions { session.expire() } }
            restart(down: down)
        case .skew(let time): store.skewMilliseconds = time.nanoseconds / 1_000_000
        case .full(let isFull): store.isFull = isFull
        }
    }

    /// The process ends and starts again: every connection breaks, the port is shut meanwhile.
    private func restart(down: Duration) {
        guard let address else { return }
        // Not at once: the engine may be asking about an exchange at this moment.
        _ = after(.zero) { server in
            server.endEngine()
            _ = server.after(down) { $0.comeBack(address.host, address.port) }
        }
    }

    private func comeBack(_ host: String, _ port: UInt16) {
        guard !isOver else { return }
        do {
            _ = try start(host: host, port: port)
        } catch {
            portLost = error.description
        }
    }
}
