package import StorageModel

/// One generation of an object: its metadata and its bytes.
package struct StoredObject: Sendable {
    package var attributes: ObjectAttributes
    /// The bytes as stored; nil for a generation that was replaced and whose bytes had to go.
    package var body: (any ByteSource)?
    /// True for the generation that downloads get.
    package var isLive: Bool

    package init(attributes: ObjectAttributes, body: (any ByteSource)?, isLive: Bool) {
        self.attributes = attributes
        self.body = body
        self.isLive = isLive
    }
}
