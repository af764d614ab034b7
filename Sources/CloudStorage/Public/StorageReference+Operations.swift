public import Foundation

extension StorageReference {
    /// Gives a URL that fetches the object without credentials (rules D7, D10).
    public func downloadURL(completion: @escaping StorageCompletion<URL>) {
        run(.downloadURL) { result in
            completion(result.value.flatMap(\.url), result.error)
        }
    }

    /// As the form with two values: the completion gets a result or an error.
    ///
    /// - Parameter completion: called once, on the callback queue.
    public func downloadURL(completion: @escaping @Sendable (Result<URL, any Error>) -> Void) {
        downloadURL(completion: Self.pair(completion))
    }

    /// Reads the metadata of the stored object (rule D13).
    public func getMetadata(completion: @escaping StorageCompletion<StorageMetadata>) {
        run(.getMetadata) { completion($0.value?.metadata, $0.error) }
    }

    /// As the form with two values: the completion gets a result or an error.
    ///
    /// - Parameter completion: called once, on the callback queue.
    public func getMetadata(
        completion: @escaping @Sendable (Result<StorageMetadata, any Error>) -> Void
    ) {
        getMetadata(completion: Self.pair(completion))
    }

    /// Changes the metadata of the stored object (rule D13): fields that differ from what the server
    /// gave are set, fields that were made nil are removed. The answer is the metadata afterwards.
    public func updateMetadata(
        _ metadata: StorageMetadata, completion: StorageCompletion<StorageMetadata>?
    ) {
        run(.updateMetadata(metadata.updateBody)) { completion?($0.value?.metadata, $0.error) }
    }

    /// Changes the metadata and does not wait for the end.
    public func updateMetadata(_ metadata: StorageMetadata) {
        run(.updateMetadata(metadata.updateBody)) { _ in }
    }

    /// As the form with two values: the completion gets a result or an error.
    ///
    /// - Parameters:
    ///   - metadata: what it is to be afterwards.
    ///   - completion: called once, on the callback queue.
    public func updateMetadata(
        _ metadata: StorageMetadata,
        completion: @escaping @Sendable (Result<StorageMetadata, any Error>) -> Void
    ) {
        updateMetadata(metadata, completion: Self.pair(completion))
    }

    /// Removes the stored object. Where an answer was lost, an object that is gone counts as removed.
    public func delete(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        run(.delete) { completion?($0.error) }
    }

    /// Lists a page of what is stored directly below.
    ///
    /// - Parameters:
    ///   - maxResults: entries of the page, 1 to 1000.
    ///   - pageToken: of the page before; nil for the first one.
    ///   - completion: called once, on the callback queue.
    public func list(
        maxResults: Int64, pageToken: String? = nil,
        completion: @escaping StorageCompletion<StorageListResult>
    ) {
        run(.list(maxResults: maxResults, pageToken: pageToken)) {
            completion($0.value?.list, $0.error)
        }
    }

    /// As the form with two values: the completion gets a result or an error.
    ///
    /// - Parameters:
    ///   - maxResults: entries of the page, 1 to 1000.
    ///   - pageToken: of the page before; nil for the first one.
    ///   - completion: called once, on the callback queue.
    public func list(
        maxResults: Int64, pageToken: String? = nil,
        completion: @escaping @Sendable (Result<StorageListResult, any Error>) -> Void
    ) {
        list(maxResults: maxResults, pageToken: pageToken, completion: Self.pair(completion))
    }

    /// Lists everything directly below, page by page.
    public func listAll(completion: @escaping StorageCompletion<StorageListResult>) {
        run(.listAll) { completion($0.value?.list, $0.error) }
    }

    /// As the form with two values: the completion gets a result or an error.
    ///
    /// - Parameter completion: called once, on the callback queue.
    public func listAll(
        completion: @escaping @Sendable (Result<StorageListResult, any Error>) -> Void
    ) {
        listAll(completion: Self.pair(completion))
    }

    /// - Returns: gives up: the completion is told so, unless it was called already.
    @discardableResult
    func run(
        _ operation: StorageOperation,
        _ completion: @escaping @Sendable (OperationResult) -> Void
    ) -> @Sendable () -> Void {
        switch engine {
        case .success(let engine):
            let runner = OperationRunner(
                reference: self, engine: engine, operation: operation, completion)
            runner.start()
            return { runner.cancel() }
        case .failure(let problem):
            storage.callbacks.enqueue { completion(OperationResult(error: problem.nsError)) }
            return {}
        }
    }
}
