import Checksums
import EventMatching
import Scenario
import StorageModel

extension MetadataTest {
    /// What does not hold, a sentence each.
    ///
    /// - Parameter seen: fields by their wire names, custom ones as `metadata.KEY`; nil: no metadata.
    func problems(with seen: [String: String]?) -> [String] {
        if isNone { return seen == nil ? [] : ["there is metadata, none was expected"] }
        guard let seen else { return ["there is no metadata"] }
        var problems: [String] = []
        if let size, !(seen["size"].flatMap { Int64($0) }.map { size.holds($0) } ?? false) {
            problems.append("metadata 'size' is \(seen["size"] ?? "absent"), \(size) expected")
        }
        for (name, test) in fields.sorted(by: { $0.key < $1.key }) where !test.holds(seen[name]) {
            problems.append(Self.problem(name, seen[name], test))
        }
        for (name, test) in custom.sorted(by: { $0.key < $1.key }) {
            let value = seen["metadata.\(name)"]
            if !test.holds(value) { problems.append(Self.problem(name, value, test)) }
        }
        return problems
    }

    private static func problem(_ name: String, _ seen: String?, _ test: TextTest) -> String {
        "metadata '\(name)' is \(seen.map { "'\($0)'" } ?? "absent"), \(test.text) expected"
    }
}

extension ObjectAttributes {
    /// The fields by their wire names, custom ones as `metadata.KEY`.
    var wireFields: [String: String] {
        var fields = [
            "bucket": bucket, "name": name, "generation": "\(generation)",
            "metageneration": "\(metageneration)", "size": "\(size)",
            "md5Hash": Base64.encode(md5), "crc32c": CRC32C.base64(of: crc32c),
            "storageClass": storageClass,
        ]
        fields["contentType"] = contentType
        fields["contentEncoding"] = contentEncoding
        fields["contentDisposition"] = contentDisposition
        fields["contentLanguage"] = contentLanguage
        fields["cacheControl"] = cacheControl
        for (key, value) in custom { fields["metadata.\(key)"] = value }
        return fields
    }
}
