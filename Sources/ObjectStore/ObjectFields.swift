/// The metadata that a client may set with an upload.
package struct ObjectFields: Hashable, Sendable {
    package var contentType: String?
    package var contentEncoding: String?
    package var contentDisposition: String?
    package var contentLanguage: String?
    package var cacheControl: String?
    package var custom: [String: String] = [:]

    package init() {}
}

/// A change of metadata: what is not named stays as it is.
package struct ObjectPatch: Hashable, Sendable {
    /// A new value, or none.
    package enum Change: Hashable, Sendable {
        case set(String)
        case clear
    }

    package var contentType: Change?
    package var contentEncoding: Change?
    package var contentDisposition: Change?
    package var contentLanguage: Change?
    package var cacheControl: Change?
    /// True: every custom key goes before `custom` is applied.
    package var clearsCustom = false
    package var custom: [String: Change] = [:]

    package init() {}
}
