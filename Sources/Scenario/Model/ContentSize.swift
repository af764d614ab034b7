import StorageModel

extension Content {
    /// Bytes before compression; nil for a file beside the scenario.
    var givenSize: Int64? {
        switch kind {
        case .synthetic(let size, _), .zeros(let size): size
        case .bytes(let bytes): Int64(bytes.count)
        case .file: nil
        }
    }
}
