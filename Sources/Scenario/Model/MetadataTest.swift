package import StorageModel

/// Conditions on an object's metadata.
package struct MetadataTest: Hashable, Sendable {
    /// In bytes.
    package var size: NumberTest?
    /// By their wire names.
    package var fields: [String: TextTest] = [:]
    package var custom: [String: TextTest] = [:]
    /// There must be none at all, as in the snapshots of a download (rule D22).
    package var isNone = false

    package init() {}

    package var isEmpty: Bool { !isNone && size == nil && fields.isEmpty && custom.isEmpty }
}
