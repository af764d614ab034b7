final class UploadRunner: TransferRunner, @unchecked Sendable {
    init(
        reference: StorageReference, engine: StorageEngine, source: OpenedSource,
        metadata: MetadataFields
    ) {}
    func begin(_ task: StorageObservableTask, generation: Int) {}
    func halt(generation: Int) {}
    func abandon() {}
}
