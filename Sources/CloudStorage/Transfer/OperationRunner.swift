final class OperationRunner: @unchecked Sendable {
    init(
        reference: StorageReference, operation: StorageOperation,
        _ completion: @escaping @Sendable (OperationResult) -> Void
    ) {}
    func start() {}
}
