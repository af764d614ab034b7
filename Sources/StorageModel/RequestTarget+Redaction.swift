extension RequestTarget {
    /// What stands in the place of a secret.
    package static let redaction = "present"

    /// Query keys whose values are credentials: download tokens, keys and tokens of accounts, and the
    /// parts of signed URLs. Source: the public REST APIs of Firebase and of Cloud Storage.
    private static let secretKeys: Set<String> = [
        "token", "delete_token", "access_token", "id_token", "oauth_token", "auth", "key",
        "signature", "x-goog-signature", "x-goog-credential", "x-amz-signature",
        "x-amz-credential", "x-amz-security-token",
    ]

    /// A raw target with the value of every credential in its query replaced by `present`; all else
    /// stays as it came.
    package static func redacted(_ raw: String) -> String {
        guard let mark = raw.firstIndex(of: "?") else { return raw }
        let query = raw[raw.index(after: mark)...]
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let key = PercentEncoding.decode(item[..<equals], plusIsSpace: true).lowercased()
            return secretKeys.contains(key) ? "\(item[...equals])\(redaction)" : String(item)
        }
        return "\(raw[...mark])\(items.joined(separator: "&"))"
    }
}
