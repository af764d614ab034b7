public import Foundation

extension StorageReference {
    // MARK: Uploads from streams

    /// Uploads bytes that come one after the other, and need not be in memory together.
    ///
    /// Pieces are taken as the server acknowledges what came before: at most a chunk
    /// (`Storage.uploadChunkSizeBytes`, 8 MiB where that is larger) and one piece are held. The task can
    /// be paused, resumed and cancelled like any other; a pause does not stop a piece that is under way.
    /// Where the stream throws, the upload fails with `unknown` and what was thrown underneath, and
    /// where it has another number of bytes than announced, with `unknown`.
    ///
    /// - Parameters:
    ///   - pieces: read once, by a Swift task that is cancelled when the upload ends early.
    ///   - size: bytes in all; nil where they are not known.
    ///   - isRepeatable: every iterator brings the same bytes from the beginning, so that an upload can
    ///     begin anew when the server has lost its session. Else it fails then, with `objectNotFound`
    ///     or `unknown` and the server's answer underneath.
    ///   - metadata: what to store beside the bytes; copied now.
    @discardableResult
    public func putStream<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, size: Int64? = nil, isRepeatable: Bool = false,
        metadata: StorageMetadata? = nil
    ) -> StorageUploadTask where Pieces.Element: DataProtocol {
        upload(.stream(UploadStream(pieces, size: size, isRepeatable: isRepeatable)), metadata)
    }

    /// Uploads bytes that come one after the other; `completion` gets the stored object's metadata or an
    /// error.
    @discardableResult
    public func putStream<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, size: Int64? = nil, isRepeatable: Bool = false,
        metadata: StorageMetadata? = nil, completion: @escaping StorageCompletion<StorageMetadata>
    ) -> StorageUploadTask where Pieces.Element: DataProtocol {
        upload(
            .stream(UploadStream(pieces, size: size, isRepeatable: isRepeatable)), metadata,
            completion)
    }

    /// Uploads what a closure reads.
    ///
    /// - Parameters:
    ///   - size: bytes in all; nil where they are not known.
    ///   - metadata: what to store beside the bytes; copied now.
    ///   - read: gives the next bytes, at most as many as it is told, and none at the end. Called on a
    ///     thread of Swift's, one call at a time.
    @discardableResult
    public func putStream(
        size: Int64? = nil, metadata: StorageMetadata? = nil,
        reading read: @escaping @Sendable (Int) throws -> Data
    ) -> StorageUploadTask {
        upload(.stream(UploadStream(size: size, reading: read)), metadata)
    }

    /// Uploads what a closure reads; `completion` gets the stored object's metadata or an error.
    @discardableResult
    public func putStream(
        size: Int64? = nil, metadata: StorageMetadata? = nil,
        reading read: @escaping @Sendable (Int) throws -> Data,
        completion: @escaping StorageCompletion<StorageMetadata>
    ) -> StorageUploadTask {
        upload(.stream(UploadStream(size: size, reading: read)), metadata, completion)
    }

    /// Uploads bytes that come one after the other. Cancelling the Swift task cancels the transfer.
    ///
    /// - Parameters:
    ///   - pieces: read once, by a Swift task that is cancelled when the upload ends early.
    ///   - size: bytes in all; nil where they are not known.
    ///   - isRepeatable: every iterator brings the same bytes from the beginning.
    ///   - metadata: what to store beside the bytes; copied now.
    ///   - onProgress: called on the callback queue, as observers are.
    public func putStreamAsync<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, size: Int64? = nil, isRepeatable: Bool = false,
        metadata: StorageMetadata? = nil, onProgress: (@Sendable (Progress?) -> Void)? = nil
    ) async throws -> StorageMetadata where Pieces.Element: DataProtocol {
        try await transfer(onProgress) {
            putStream(
                pieces, size: size, isRepeatable: isRepeatable, metadata: metadata,
                completion: Self.pair($0))
        }
    }

    // MARK: Downloads as streams

    /// Downloads the content for somebody who takes it piece by piece, without holding it.
    ///
    /// The download begins now, and stops reading from the connection while pieces wait to be taken
    /// out. It goes on by itself after a break, as other downloads do; where it would have to begin
    /// anew, because the object was replaced meanwhile, it fails with `unknown`, as what was taken out
    /// cannot be put back. A content that does not fit its checksum fails with `nonMatchingChecksum`
    /// after its last piece.
    ///
    ///     for try await piece in reference.getStream() { try file.write(contentsOf: piece) }
    ///
    /// - Parameter limit: bytes that may wait to be taken out, and one piece of at most 256 KiB more;
    ///   1 or more.
    public func getStream(bufferingUpTo limit: Int = 1 << 20) -> StorageDownloadStream {
        let pipe = DownloadPipe(limit: limit)
        let task = StorageDownloadTask(reference: self, destination: .stream(pipe))
        task.whenEnded { pipe.end($0.error) }
        task.enqueue()
        return StorageDownloadStream(task, pipe)
    }
}
