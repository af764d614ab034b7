import StorageModel

extension ObjectAttributes {
    /// Sets everything that a client may set.
    mutating func apply(_ fields: ObjectFields) {
        contentType = fields.contentType
        contentEncoding = fields.contentEncoding
        contentDisposition = fields.contentDisposition
        contentLanguage = fields.contentLanguage
        cacheControl = fields.cacheControl
        custom = fields.custom
    }

    mutating func apply(_ patch: ObjectPatch) {
        Self.change(&contentType, patch.contentType)
        Self.change(&contentEncoding, patch.contentEncoding)
        Self.change(&contentDisposition, patch.contentDisposition)
        Self.change(&contentLanguage, patch.contentLanguage)
        Self.change(&cacheControl, patch.cacheControl)
        if patch.clearsCustom { custom = [:] }
        for (key, change) in patch.custom {
            switch change {
            case .set(let value): custom[key] = value
            case .clear: custom[key] = nil
            }
        }
    }

    private static func change(_ field: inout String?, _ change: ObjectPatch.Change?) {
        switch change {
        case .set(let value): field = value
        case .clear: field = nil
        case nil: break
        }
    }
}
