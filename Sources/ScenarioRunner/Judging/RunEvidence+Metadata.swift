import EventMatching
import StorageModel

// For clients that count the metadata of an upload among its bytes.
extension RunEvidence {
    /// Bytes of the metadata that began an upload: the body of its first request; 0 where there was
    /// none.
    func metadataBytes(of task: TaskRecord) -> Int64 {
        guard task.isUpload else { return 0 }
        return exchanges(of: task).first { $0.operation == .uploadStart }?.bodyLength ?? 0
    }

    /// The task as a client tells it that counts the object alone.
    func withoutMetadata(_ task: TaskRecord) -> TaskRecord {
        let metadata = metadataBytes(of: task)
        guard metadata > 0 else { return task }
        var task = task
        task.events = task.events.map { $0.without(metadata) }
        return task
    }
}

extension TransferEvent {
    /// The same event with its bytes counted from behind the metadata.
    func without(_ metadata: Int64) -> TransferEvent {
        var event = self
        // A number below 0 is wrong however it is counted, and stays to be seen.
        event.completed = completed < 0 ? completed : max(0, completed - metadata)
        event.total = total.map { max(0, $0 - metadata) }
        return event
    }
}
