/// Content as a scenario gives it: for objects, for uploads, for local files.
package struct Content: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case synthetic(size: Int64, seed: UInt64)
        case zeros(size: Int64)
        case bytes([UInt8])
        /// A file beside the scenario; the path is absolute or relative to the working directory.
        case file(path: String)
    }

    package var kind: Kind
    /// Stored compressed; the bytes are those before compression.
    package var isGzipped: Bool

    package init(_ kind: Kind, isGzipped: Bool = false) {
        self.kind = kind
        self.isGzipped = isGzipped
    }

    /// The bytes before compression; nil for a file, which is read by who may read files.
    package var source: (any ByteSource)? {
        switch kind {
        case .synthetic(let size, let seed): SyntheticContent(size: size, seed: seed)
        case .zeros(let size): ZeroContent(size: size)
        case .bytes(let bytes): ByteArraySource(bytes)
        case .file: nil
        }
    }
}
