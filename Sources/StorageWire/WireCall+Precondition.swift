import ObjectStore
import StorageModel

extension WireCall {
    /// The conditions in the query: `ifGenerationMatch` and its siblings.
    func precondition() throws(MetadataBody.Malformed) -> Precondition {
        var condition = Precondition()
        condition.ifGenerationMatch = try number("ifGenerationMatch")
        condition.ifGenerationNotMatch = try number("ifGenerationNotMatch")
        condition.ifMetagenerationMatch = try number("ifMetagenerationMatch")
        condition.ifMetagenerationNotMatch = try number("ifMetagenerationNotMatch")
        return condition
    }

    private func number(_ name: String) throws(MetadataBody.Malformed) -> Int64? {
        guard let text = target.first(name) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw MetadataBody.Malformed(message: "\(name) is '\(text)', which is no whole number.")
        }
        return number
    }
}
