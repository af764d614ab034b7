internal import EventLoop
internal import Foundation

/// An upload (rule D5).
public final class StorageUploadTask: StorageObservableTask, @unchecked Sendable {
    // Invariant: constants; what changes is in the superclass's lock.
    private let source: UploadSource
    private let wanted: MetadataFields
    /// Of an earlier process.
    private let resuming: StorageUploadSession?
    private let saved = Lock(Saved())

    private struct Saved {
        var session: StorageUploadSession?
        var observer: (@Sendable (StorageUploadSession?) -> Void)?
    }

    init(
        reference: StorageReference, source: UploadSource, metadata: StorageMetadata?,
        resuming: StorageUploadSession? = nil
    ) {
        self.source = source
        self.resuming = resuming
        var fields = metadata?.fields ?? MetadataFields()
        fields.path = reference.fullPath
        fields.bucket = reference.bucket
        if fields.contentType == nil { fields.contentType = source.contentType }
        wanted = fields
        super.init(
            reference: reference,
            machine: TransferMachine(
                table: reference.storage.behaviour.life.upload, total: source.knownSize,
                metadata: fields))
    }

    override func makeRunner(_ engine: StorageEngine) -> Result<Start, StorageFailure> {
        guard !reference.path.isRoot else {
            return .failure(
                StorageFailure(
                    .invalidArgument,
                    "Nothing can be uploaded to the root of a bucket: name a child."))
        }
        if let problem = resuming?.problem(for: reference) { return .failure(problem) }
        let content: any UploadContent
        switch source.open(engine) {
        case .success(let opened): content = opened
        case .failure(let problem): return .failure(problem)
        }
        let runner = UploadRunner(
            reference: reference, engine: engine, content: content, metadata: wanted,
            session: resuming?.session(for: content.identity))
        var metadata = wanted
        metadata.size = content.knownSize ?? 0
        return .success(Start(runner: runner, total: runner.total, metadata: metadata))
    }

    // MARK: Going on in a later process

    /// With this an upload of a file can go on after this process has ended, by
    /// `StorageReference.putFile(from:metadata:resuming:)`.
    ///
    /// There from the moment at which the server has begun a session, before any byte of the file is
    /// sent; afterwards it tells how far the upload has come. Nil before that, after success and after
    /// `cancel()`, and for anything but a file. After any other failure it is the last session, which
    /// may or may not be of use.
    public var savedSession: StorageUploadSession? { saved.withLock { $0.session } }

    /// Calls `handler` on the callback queue with each new session, and with nil when there is none
    /// any more; not for progress inside a session. A later call takes the place of an earlier one.
    public func whenSessionChanges(
        _ handler: @escaping @Sendable (StorageUploadSession?) -> Void
    ) {
        saved.withLock { saved in
            saved.observer = handler
            if let session = saved.session { queue.enqueue { handler(session) } }
        }
    }

    func keep(_ session: StorageUploadSession?) {
        saved.withLock { saved in
            let isNew = session?.url != saved.session?.url
            saved.session = session
            guard isNew, let observer = saved.observer else { return }
            queue.enqueue { observer(session) }
        }
    }
}
