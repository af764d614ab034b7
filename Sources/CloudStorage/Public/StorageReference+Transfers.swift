public import Foundation
package import StorageModel

/// Called with the result or an error, never both, exactly once, on the callback queue (rule D6).
public typealias StorageCompletion<Value> = @Sendable (Value?, (any Error)?) -> Void

extension StorageReference {
    // MARK: Uploads (rules D5-D9)

    /// Uploads bytes from memory.
    ///
    /// - Parameters:
    ///   - data: the content; empty is allowed.
    ///   - metadata: what to store beside the bytes; copied now.
    @discardableResult
    public func putData(_ data: Data, metadata: StorageMetadata? = nil) -> StorageUploadTask {
        upload(.memory(data), metadata)
    }

    /// Uploads bytes from memory; `completion` gets the stored object's metadata or an error.
    @discardableResult
    public func putData(
        _ data: Data, metadata: StorageMetadata? = nil,
        completion: StorageCompletion<StorageMetadata>?
    ) -> StorageUploadTask {
        upload(.memory(data), metadata, completion)
    }

    /// As the form with two values: the completion gets the metadata of what is stored, or an error.
    ///
    /// - Parameters:
    ///   - data: the content; empty is allowed.
    ///   - metadata: what to store beside the bytes; copied now.
    ///   - completion: called once, on the callback queue, after all observers.
    @discardableResult
    public func putData(
        _ data: Data, metadata: StorageMetadata? = nil,
        completion: @escaping @Sendable (Result<StorageMetadata, any Error>) -> Void
    ) -> StorageUploadTask {
        upload(.memory(data), metadata, Self.pair(completion))
    }

    /// Uploads a local file. Its type follows from its name unless the metadata say otherwise.
    @discardableResult
    public func putFile(from url: URL, metadata: StorageMetadata? = nil) -> StorageUploadTask {
        upload(UploadSource(url: url), metadata)
    }

    /// Uploads a local file; `completion` gets the stored object's metadata or an error.
    @discardableResult
    public func putFile(
        from url: URL, metadata: StorageMetadata? = nil,
        completion: StorageCompletion<StorageMetadata>?
    ) -> StorageUploadTask {
        upload(UploadSource(url: url), metadata, completion)
    }

    /// As the form with two values: the completion gets the metadata of what is stored, or an error.
    ///
    /// - Parameters:
    ///   - url: of the local file.
    ///   - metadata: what to store beside the bytes; copied now.
    ///   - completion: called once, on the callback queue, after all observers.
    @discardableResult
    public func putFile(
        from url: URL, metadata: StorageMetadata? = nil,
        completion: @escaping @Sendable (Result<StorageMetadata, any Error>) -> Void
    ) -> StorageUploadTask {
        upload(UploadSource(url: url), metadata, Self.pair(completion))
    }

    /// Uploads bytes that need not be in memory, as `putData` does.
    @discardableResult
    package func putSource(
        _ source: any ByteSource, metadata: StorageMetadata? = nil,
        completion: StorageCompletion<StorageMetadata>? = nil
    ) -> StorageUploadTask {
        upload(.bytes(source), metadata, completion)
    }

    func upload(
        _ source: UploadSource, _ metadata: StorageMetadata?,
        resuming session: StorageUploadSession? = nil,
        _ completion: StorageCompletion<StorageMetadata>? = nil
    ) -> StorageUploadTask {
        let task = StorageUploadTask(
            reference: self, source: source, metadata: metadata, resuming: session)
        if let completion {
            task.whenEnded { completion($0.error == nil ? $0.metadata : nil, $0.error) }
        }
        task.enqueue()
        return task
    }

    // MARK: Downloads (rules D10-D12)

    /// Downloads the whole content into memory.
    ///
    /// - Parameters:
    ///   - maxSize: bytes; a larger object fails with `downloadSizeExceeded`.
    ///   - completion: called once, on the callback queue, after all observers.
    @discardableResult
    public func getData(
        maxSize: Int64, completion: @escaping StorageCompletion<Data>
    ) -> StorageDownloadTask {
        let memory = DownloadMemory(limit: maxSize)
        return download(.memory(memory)) {
            completion($0.error == nil ? memory.data : nil, $0.error)
        }
    }

    /// As the form with two values: the completion gets the content or an error.
    ///
    /// - Parameters:
    ///   - maxSize: bytes; a larger object fails with `downloadSizeExceeded`.
    ///   - completion: called once, on the callback queue, after all observers.
    @discardableResult
    public func getData(
        maxSize: Int64, completion: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) -> StorageDownloadTask {
        getData(maxSize: maxSize, completion: Self.pair(completion))
    }

    /// Downloads the content into a local file, which is replaced when all of it is there.
    @discardableResult
    public func write(toFile url: URL) -> StorageDownloadTask {
        download(DownloadDestination(url: url), nil)
    }

    /// Downloads the content into a local file; `completion` gets the file's URL or an error.
    @discardableResult
    public func write(
        toFile url: URL, completion: StorageCompletion<URL>?
    ) -> StorageDownloadTask {
        let destination = DownloadDestination(url: url)
        guard let completion else { return download(destination, nil) }
        return download(destination) { completion($0.error == nil ? url : nil, $0.error) }
    }

    /// As the form with two values: the completion gets the file's URL or an error.
    ///
    /// - Parameters:
    ///   - url: of the local file.
    ///   - completion: called once, on the callback queue, after all observers.
    @discardableResult
    public func write(
        toFile url: URL, completion: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) -> StorageDownloadTask {
        write(toFile: url, completion: Self.pair(completion))
    }

    private func download(
        _ destination: DownloadDestination,
        _ completion: (@Sendable (StorageTaskSnapshot) -> Void)?
    ) -> StorageDownloadTask {
        let task = StorageDownloadTask(reference: self, destination: destination)
        if let completion { task.whenEnded(completion) }
        task.enqueue()
        return task
    }

    // MARK: Two shapes of one completion

    static func pair<Value>(
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> StorageCompletion<Value> {
        { value, error in
            if let value {
                completion(.success(value))
            } else {
                let missing = StorageFailure(.internalError, "There is no result and no error.")
                completion(.failure(error ?? missing.nsError))
            }
        }
    }
}
