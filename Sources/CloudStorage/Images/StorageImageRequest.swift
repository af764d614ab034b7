/// An image that is being loaded for one caller.
public final class StorageImageRequest: Sendable {
    private let loader: StorageImageLoader
    private let key: String
    private let number: Int

    init(loader: StorageImageLoader, key: String, number: Int) {
        self.loader = loader
        self.key = key
        self.number = number
    }

    /// Ends the load with the failure `cancelled`, unless it has ended. Others that wait for the same
    /// image are not disturbed; when nobody waits any more, the download is cancelled too. From any
    /// thread.
    public func cancel() { loader.cancel(key, number) }
}
