/// Conditions on the live object under which a request is carried out.
///
/// Source: the documented query parameters of Cloud Storage's JSON API.
package struct Precondition: Hashable, Sendable {
    /// 0 means that there must be no live object.
    package var ifGenerationMatch: Int64?
    package var ifGenerationNotMatch: Int64?
    package var ifMetagenerationMatch: Int64?
    package var ifMetagenerationNotMatch: Int64?

    package init() {}

    package var isEmpty: Bool { self == Precondition() }

    /// Throws `.preconditionFailed` or `.notModified` where the live object does not fit.
    package func check(generation: Int64?, metageneration: Int64?) throws(StoreError) {
        if let wanted = ifGenerationMatch, wanted != generation ?? 0 {
            throw .preconditionFailed
        }
        if let wanted = ifMetagenerationMatch, wanted != metageneration {
            throw .preconditionFailed
        }
        if let unwanted = ifGenerationNotMatch, unwanted == generation ?? 0 { throw .notModified }
        if let unwanted = ifMetagenerationNotMatch, unwanted == metageneration {
            throw .notModified
        }
    }
}
