import StorageModel

// What is a secret never gets into a record, so that no output can show it.

extension HTTPHeaders {
    private static let secrets: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "x-amz-security-token",
        "x-firebase-appcheck", "x-goog-api-key", "x-goog-encryption-key",
        "x-goog-copy-source-encryption-key", "x-goog-iam-authorization-token",
    ]

    /// The same fields with every credential replaced by `present`.
    var redacted: HTTPHeaders {
        HTTPHeaders(
            fields.map { field in
                guard Self.secrets.contains(field.name.lowercased()) else { return field }
                return Field(name: field.name, value: RequestTarget.redaction)
            })
    }
}

extension [String: String] {
    /// The members of a JSON body with download tokens replaced by `present`.
    var redacted: [String: String] {
        var members = self
        for path in keys where path.lowercased().hasSuffix("downloadtokens") {
            members[path] = RequestTarget.redaction
        }
        return members
    }
}
