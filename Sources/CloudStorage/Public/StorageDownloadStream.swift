public import Foundation

/// The content of an object, piece by piece as it arrives: see `StorageReference.getStream`.
///
/// The bytes are taken out once: several iterators share them. When the stream and its iterators are
/// gone, an unfinished download is cancelled.
public struct StorageDownloadStream: AsyncSequence, Sendable {
    /// A piece of the content, never empty.
    public typealias Element = Data

    private let outlet: Outlet

    init(_ task: StorageDownloadTask, _ pipe: DownloadPipe) {
        outlet = Outlet(task, pipe)
    }

    /// The download: it can be observed, paused, resumed and cancelled like any other.
    public var task: StorageDownloadTask { outlet.task }

    /// Begins to take pieces out. What one iterator took, no other gets.
    public func makeAsyncIterator() -> Iterator { Iterator(outlet: outlet) }

    /// Takes the pieces of a download out, one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let outlet: Outlet

        /// The next piece, never empty; nil when the whole content has been taken out and its checksum
        /// was found right. Cancelling the Swift task cancels the download.
        ///
        /// - Throws: an `NSError` of `StorageErrorDomain`: what the download failed with.
        public mutating func next() async throws -> Data? {
            let outlet = outlet
            return try await withTaskCancellationHandler {
                try await outlet.pipe.take()
            } onCancel: {
                outlet.task.cancel()
            }
        }
    }
}

/// Cancels the download when nobody can take anything out any more.
private final class Outlet: Sendable {
    let task: StorageDownloadTask
    let pipe: DownloadPipe

    init(_ task: StorageDownloadTask, _ pipe: DownloadPipe) {
        self.task = task
        self.pipe = pipe
    }

    deinit { task.cancel() }
}
