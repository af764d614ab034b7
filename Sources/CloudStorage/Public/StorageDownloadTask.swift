internal import Foundation

/// A download (rules D10-D12).
public final class StorageDownloadTask: StorageObservableTask, @unchecked Sendable {
    // Invariant: constants; what changes is in the superclass's lock, or confined to the loop.
    private let destination: DownloadDestination
    private let validator: DownloadValidator?

    init(
        reference: StorageReference, destination: DownloadDestination,
        validator: DownloadValidator? = nil
    ) {
        self.destination = destination
        self.validator = validator
        let life = reference.storage.behaviour.life
        super.init(
            reference: reference,
            machine: TransferMachine(table: life.download(inMemory: destination.limit != nil)))
    }

    override func makeRunner(_ engine: StorageEngine) -> Result<Start, StorageFailure> {
        guard !reference.path.isRoot else {
            return .failure(
                StorageFailure(
                    .invalidArgument,
                    "The root of a bucket has no content to download: name a child."))
        }
        guard let sink = destination.sink else {
            return .failure(destination.problem)
        }
        let runner = DownloadRunner(
            reference: reference, engine: engine, sink: sink, limit: destination.limit,
            validator: validator)
        return .success(Start(runner: runner))
    }

    /// Removes the file in which an unfinished download is kept, as a cleaner of temporary files does.
    package func purgeTemporaryFiles() { destination.purge() }
}
