public import Foundation

/// What is there to be shown while an image is loaded (rule D29).
///
/// A load tells at most one placeholder, at most one cached image, and exactly one end: an image or a
/// failure. Nothing follows the end.
public enum StorageImageState: Sendable {
    /// Nothing is at hand yet: show what was given for that case.
    case placeholder(Data?)
    /// A copy from a cache, to be shown while the server is asked whether it is still the stored one.
    case cached(StorageImage)
    /// The end: this is the image.
    case image(StorageImage)
    /// The end: there is no image. An `NSError` of `StorageErrorDomain`.
    case failure(any Error)

    /// True for an image or a failure.
    public var isEnd: Bool {
        switch self {
        case .placeholder, .cached: false
        case .image, .failure: true
        }
    }
}
