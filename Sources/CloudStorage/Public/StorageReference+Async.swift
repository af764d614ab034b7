public import Foundation

// Each of these throws an `NSError` of `StorageErrorDomain` (a `StorageError`). Cancelling the Swift
// task cancels what is under way; the error is `cancelled` then.
extension StorageReference {
    /// Downloads the whole content; larger than `maxSize` bytes fails with `downloadSizeExceeded`.
    public func data(maxSize: Int64) async throws -> Data {
        try await transfer { getData(maxSize: maxSize, completion: $0) }
    }

    /// Uploads bytes from memory.
    ///
    /// - Parameters:
    ///   - data: the content; empty is allowed.
    ///   - metadata: what to store beside the bytes; copied now.
    ///   - onProgress: called on the callback queue, as observers are.
    public func putDataAsync(
        _ data: Data, metadata: StorageMetadata? = nil,
        onProgress: (@Sendable (Progress?) -> Void)? = nil
    ) async throws -> StorageMetadata {
        try await transfer(onProgress) { putData(data, metadata: metadata, completion: $0) }
    }

    /// Uploads a local file.
    ///
    /// - Parameters:
    ///   - url: of the local file.
    ///   - metadata: what to store beside the bytes; copied now.
    ///   - onProgress: called on the callback queue, as observers are.
    public func putFileAsync(
        from url: URL, metadata: StorageMetadata? = nil,
        onProgress: (@Sendable (Progress?) -> Void)? = nil
    ) async throws -> StorageMetadata {
        try await transfer(onProgress) { putFile(from: url, metadata: metadata, completion: $0) }
    }

    /// Downloads into a local file; gives its URL.
    ///
    /// - Parameters:
    ///   - url: of the local file.
    ///   - onProgress: called on the callback queue, as observers are.
    public func writeAsync(
        toFile url: URL, onProgress: (@Sendable (Progress?) -> Void)? = nil
    ) async throws -> URL {
        try await transfer(onProgress) { write(toFile: url, completion: $0) }
    }

    /// Gives a URL that fetches the object without credentials (rules D7, D10).
    public func downloadURL() async throws -> URL {
        try await operate(.downloadURL) { $0.value?.url }
    }

    /// Reads the metadata of the stored object (rule D13).
    public func getMetadata() async throws -> StorageMetadata {
        try await operate(.getMetadata) { $0.value?.metadata }
    }

    /// Changes the metadata of the stored object; gives it as it is afterwards.
    public func updateMetadata(_ metadata: StorageMetadata) async throws -> StorageMetadata {
        try await operate(.updateMetadata(metadata.updateBody)) { $0.value?.metadata }
    }

    /// Removes the stored object. Where an answer was lost, an object that is gone counts as removed;
    /// after a cancel it may be removed or not.
    public func delete() async throws {
        try await operate(.delete) { $0.error == nil ? () : nil }
    }

    /// Lists a page of what is stored directly below.
    ///
    /// - Parameters:
    ///   - maxResults: entries of the page, 1 to 1000.
    ///   - pageToken: of the page before; nil for the first one.
    public func list(
        maxResults: Int64, pageToken: String? = nil
    ) async throws -> StorageListResult {
        try await operate(.list(maxResults: maxResults, pageToken: pageToken)) { $0.value?.list }
    }

    /// Lists everything directly below, page by page.
    public func listAll() async throws -> StorageListResult {
        try await operate(.listAll) { $0.value?.list }
    }

    // MARK: Completions as continuations

    typealias Ended<Value> = @Sendable (Result<Value, any Error>) -> Void

    private func operate<Value: Sendable>(
        _ operation: StorageOperation, _ value: @escaping @Sendable (OperationResult) -> Value?
    ) async throws -> Value {
        let slot = CancelSlot()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ended = Self.pair { (result: Result<Value, any Error>) in
                    continuation.resume(with: result)
                }
                slot.take(run(operation) { ended(value($0), $0.error) })
            }
        } onCancel: {
            slot.cancel()
        }
    }

    func transfer<Value: Sendable>(
        _ onProgress: (@Sendable (Progress?) -> Void)? = nil,
        _ begin: @escaping @Sendable (@escaping Ended<Value>) -> StorageObservableTask
    ) async throws -> Value {
        let slot = CancelSlot()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // In a turn of the callback queue, so that the transfer starts after it is observed.
                storage.callbacks.enqueue {
                    let task = begin { continuation.resume(with: $0) }
                    if let onProgress { task.observe(.progress) { onProgress($0.progress) } }
                    slot.take { task.cancel() }
                }
            }
        } onCancel: {
            slot.cancel()
        }
    }
}
