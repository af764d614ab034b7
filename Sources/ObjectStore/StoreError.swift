/// Why the store refuses something.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchBucket(String)
    case noSuchObject(bucket: String, name: String)
    /// The name is empty, too long, or has a character that no object may have.
    case invalidName(String)
    /// An `if...Match` condition does not hold.
    case preconditionFailed
    /// An `if...NotMatch` condition does not hold.
    case notModified
    case objectTooLarge(limit: Int64)
    /// Keeping the bytes would need more memory than the store may use.
    case outOfMemory(limit: Int64)
    /// A fault said that there is no room for objects.
    case full
    case tooManySessions(limit: Int)
    /// Content from a file that nobody has read.
    case contentNotRead(String)
    case invalidPrefix(String)
    case invalidPageToken(String)
    case invalidPageSize(String)

    package var description: String {
        switch self {
        case .noSuchBucket(let name): "There is no bucket '\(name)'."
        case .noSuchObject(let bucket, let name): "No such object: \(bucket)/\(name)"
        case .invalidName(let why): "The object's name is not allowed: \(why)."
        case .preconditionFailed:
            "At least one of the pre-conditions you specified did not hold."
        case .notModified: "The object is as the condition says it should not be."
        case .objectTooLarge(let limit): "The object is larger than \(limit) bytes, the limit."
        case .outOfMemory(let limit):
            "Keeping these bytes would take more than \(limit) bytes of memory, the limit."
        case .full: "There is no room for further objects."
        case .tooManySessions(let limit):
            "There are already \(limit) upload sessions, the limit."
        case .contentNotRead(let path): "The content of '\(path)' was not read from its file."
        case .invalidPrefix:
            "The prefix parameter is required to be empty or ends with a single / character."
        case .invalidPageToken(let token): "The page token '\(token)' was not given out here."
        case .invalidPageSize(let text):
            "maxResults is '\(text)', but must be a whole number of 1 or more."
        }
    }
}
