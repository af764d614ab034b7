/// A page of what is stored below a reference.
public struct StorageListResult: Sendable, Hashable, CustomStringConvertible {
    /// The "folders": references that have further objects below them.
    public let prefixes: [StorageReference]
    /// The objects directly below the reference.
    public let items: [StorageReference]
    /// Asks for the page behind this one; nil on the last page.
    public let pageToken: String?

    /// How much there is on the page, for people.
    public var description: String {
        let more = pageToken == nil ? "" : ", and more"
        return "\(prefixes.count) prefixes and \(items.count) items" + more
    }
}
