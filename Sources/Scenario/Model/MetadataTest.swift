package import StorageModel

/// Conditions on an object's metadata.
package struct MetadataTest: Hashable, Sendable {
    /// In bytes.
    package var size: NumberTest?
    /// By their wire names.
    package var fields: [String: TextTest] = [:]
    package var custom: [String: TextTest] = [:]

    package init() {}

    package var isEmpty: Bool { size == nil && fields.isEmpty && custom.isEmpty }
}
