public import Foundation

/// An image as it is stored in the bucket: checked to be one, not decoded.
public struct StorageImage: Sendable, Hashable {
    /// Where the bytes came from.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        /// Downloaded for this call.
        case server
        /// The memory cache of the loader.
        case memory
        /// The disk cache of the loader.
        case disk
    }

    /// The bytes of the stored object.
    public let data: Data
    /// What they are, told from their beginning.
    public let format: StorageImageFormat
    /// The validator of this content, as the server spelled it (RFC 9110 section 8.8.3); nil where it
    /// gave none.
    public let etag: String?
    /// Where the bytes came from.
    public let origin: Origin
    /// True for a cached image of which the server could not say whether it is still the stored one.
    public let isStale: Bool

    init(
        data: Data, format: StorageImageFormat, etag: String?, origin: Origin,
        isStale: Bool = false
    ) {
        self.data = data
        self.format = format
        self.etag = etag
        self.origin = origin
        self.isStale = isStale
    }

    /// The same image, found elsewhere.
    func found(in origin: Origin, isStale: Bool = false) -> StorageImage {
        StorageImage(data: data, format: format, etag: etag, origin: origin, isStale: isStale)
    }
}
