internal import Foundation

/// What the server has at a reference.
enum StoredContent: Sendable {
    /// The content that the caller has.
    case unchanged
    case content(Data, etag: String?)
}

extension StorageReference {
    /// Downloads into memory, unless what is stored has this ETag.
    ///
    /// - Parameters:
    ///   - maxSize: bytes; a larger object fails with `downloadSizeExceeded`.
    ///   - etag: of the content at hand; nil: there is none.
    ///   - completion: called once, on the callback queue.
    func content(
        maxSize: Int64, unless etag: String?,
        completion: @escaping @Sendable (Result<StoredContent, any Error>) -> Void
    ) -> StorageDownloadTask {
        let memory = DownloadMemory(limit: maxSize)
        let validator = DownloadValidator(condition: etag)
        let task = StorageDownloadTask(
            reference: self, destination: .memory(memory), validator: validator)
        task.whenEnded { snapshot in
            if let error = snapshot.error {
                completion(.failure(error))
            } else if validator.isUnchanged {
                completion(.success(.unchanged))
            } else {
                completion(.success(.content(memory.data, etag: validator.etag)))
            }
        }
        task.enqueue()
        return task
    }
}
