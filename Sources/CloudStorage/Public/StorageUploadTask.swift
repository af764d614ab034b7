internal import Foundation

/// An upload (rule D5).
public final class StorageUploadTask: StorageObservableTask, @unchecked Sendable {
    // Invariant: constants; what changes is in the superclass's lock.
    private let source: UploadSource
    private let wanted: MetadataFields

    init(reference: StorageReference, source: UploadSource, metadata: StorageMetadata?) {
        self.source = source
        var fields = metadata?.fields ?? MetadataFields()
        fields.path = reference.fullPath
        fields.bucket = reference.bucket
        if fields.contentType == nil { fields.contentType = source.contentType }
        wanted = fields
        super.init(
            reference: reference,
            machine: TransferMachine(total: source.knownSize, metadata: fields))
    }

    override func makeRunner(_ engine: StorageEngine) -> Result<Start, StorageFailure> {
        guard !reference.path.isRoot else {
            return .failure(
                StorageFailure(
                    .invalidArgument,
                    "Nothing can be uploaded to the root of a bucket: name a child."))
        }
        let opened: OpenedSource
        switch source.open() {
        case .success(let source): opened = source
        case .failure(let problem): return .failure(problem)
        }
        let runner = UploadRunner(
            reference: reference, engine: engine, source: opened, metadata: wanted)
        var metadata = wanted
        metadata.size = opened.size
        return .success(Start(runner: runner, total: opened.size, metadata: metadata))
    }
}
