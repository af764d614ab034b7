public import Foundation

extension StorageReference {
    /// Downloads the whole content; larger than `maxSize` bytes fails with `downloadSizeExceeded`.
    /// Cancelling the Swift task cancels the transfer.
    public func data(maxSize: Int64) async throws -> Data {
        try await transfer { getData(maxSize: maxSize, completion: $0) }
    }

    /// Uploads bytes from memory. Cancelling the Swift task cancels the transfer.
    ///
    /// - Parameter onProgress: called on the callback queue.
    public func putDataAsync(
        _ data: Data, metadata: StorageMetadata? = nil,
        onProgress: (@Sendable (Progress?) -> Void)? = nil
    ) async throws -> StorageMetadata {
        try await transfer(onProgress) { putData(data, metadata: metadata, completion: $0) }
    }

    /// Uploads a local file. Cancelling the Swift task cancels the transfer.
    public func putFileAsync(
        from url: URL, metadata: StorageMetadata? = nil,
        onProgress: (@Sendable (Progress?) -> Void)? = nil
    ) async throws -> StorageMetadata {
        try await transfer(onProgress) { putFile(from: url, metadata: metadata, completion: $0) }
    }

    /// Downloads into a local file. Cancelling the Swift task cancels the transfer.
    public func writeAsync(
        toFile url: URL, onProgress: (@Sendable (Progress?) -> Void)? = nil
    ) async throws -> URL {
        try await transfer(onProgress) { write(toFile: url, completion: $0) }
    }

    public func downloadURL() async throws -> URL {
        try await awaited { downloadURL(completion: $0) }
    }

    public func getMetadata() async throws -> StorageMetadata {
        try await awaited { getMetadata(completion: $0) }
    }

    public func updateMetadata(_ metadata: StorageMetadata) async throws -> StorageMetadata {
        try await awaited { updateMetadata(metadata, completion: $0) }
    }

    public func delete() async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            delete { error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
    }

    public func list(
        maxResults: Int64, pageToken: String? = nil
    ) async throws -> StorageListResult {
        try await awaited {
            list(maxResults: maxResults, pageToken: pageToken, completion: $0)
        }
    }

    public func listAll() async throws -> StorageListResult {
        try await awaited { listAll(completion: $0) }
    }

    typealias Ended<Value> = @Sendable (Result<Value, any Error>) -> Void

    private func awaited<Value: Sendable>(
        _ begin: (@escaping Ended<Value>) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            begin { continuation.resume(with: $0) }
        }
    }

    func transfer<Value: Sendable>(
        _ onProgress: (@Sendable (Progress?) -> Void)? = nil,
        _ begin: (@escaping Ended<Value>) -> StorageObservableTask
    ) async throws -> Value {
        let slot = CancelSlot()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = begin { continuation.resume(with: $0) }
                if let onProgress { task.observe(.progress) { onProgress($0.progress) } }
                slot.take(task)
            }
        } onCancel: {
            slot.cancel()
        }
    }
}
