final class DownloadRunner: TransferRunner, @unchecked Sendable {
    init(
        reference: StorageReference, engine: StorageEngine, destination: DownloadDestination
    ) {}
    func begin(_ task: StorageObservableTask, generation: Int) {}
    func halt(generation: Int) {}
    func abandon() {}
}
