internal import Foundation

/// A download (rules D10-D12).
public final class StorageDownloadTask: StorageObservableTask, @unchecked Sendable {
    // Invariant: constants; what changes is in the superclass's lock, or confined to the loop.
    private let destination: DownloadDestination

    init(reference: StorageReference, destination: DownloadDestination) {
        self.destination = destination
        super.init(reference: reference, machine: TransferMachine())
    }

    override func makeRunner() -> Result<Start, StorageFailure> {
        guard !reference.path.isRoot else {
            return .failure(
                StorageFailure(
                    .invalidArgument,
                    "The root of a bucket has no content to download: name a child."))
        }
        if let problem = destination.problem { return .failure(problem) }
        return .success(
            Start(
                runner: DownloadRunner(
                    reference: reference, engine: engine, destination: destination)))
    }

    /// Removes the file in which an unfinished download is kept, as a cleaner of temporary files does.
    package func purgeTemporaryFiles() { destination.purge() }
}
