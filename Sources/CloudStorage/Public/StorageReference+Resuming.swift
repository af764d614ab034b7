public import Foundation

extension StorageReference {
    /// Goes on with an upload of a file that an earlier process began.
    ///
    /// The server is asked how much it has, and only the rest is sent. Where the file was changed since
    /// (its size, its time of modification, or another file stands in its place), or the server does
    /// not know the session any more, the upload begins anew. A session of another object or server
    /// fails with `invalidArgument`.
    ///
    /// - Parameters:
    ///   - url: of the local file.
    ///   - metadata: what to store beside the bytes where the upload begins anew; else it is what was
    ///     given when it began.
    ///   - session: `StorageUploadTask.savedSession` of the earlier upload.
    @discardableResult
    public func putFile(
        from url: URL, metadata: StorageMetadata? = nil, resuming session: StorageUploadSession
    ) -> StorageUploadTask {
        upload(UploadSource(url: url), metadata, resuming: session)
    }

    /// Goes on with an upload of a file that an earlier process began; `completion` gets the stored
    /// object's metadata or an error.
    @discardableResult
    public func putFile(
        from url: URL, metadata: StorageMetadata? = nil, resuming session: StorageUploadSession,
        completion: @escaping StorageCompletion<StorageMetadata>
    ) -> StorageUploadTask {
        upload(UploadSource(url: url), metadata, resuming: session, completion)
    }
}
