internal import Foundation
internal import StorageModel

/// A request that is no transfer.
enum StorageOperation: Sendable {
    case downloadURL
    case getMetadata
    case updateMetadata([UInt8])
    case delete
    case list(maxResults: Int64, pageToken: String?)
    case listAll

    var isDeletion: Bool {
        if case .delete = self { true } else { false }
    }

    /// Why the call makes no sense.
    func problem(at path: StoragePath) -> StorageFailure? {
        switch self {
        case .list(let maxResults, _):
            guard (1...1000).contains(maxResults) else {
                return StorageFailure(
                    .invalidArgument, "maxResults is \(maxResults) and has to be 1 to 1000.")
            }
            return nil
        case .listAll: return nil
        case .downloadURL, .getMetadata, .updateMetadata, .delete:
            guard path.isRoot else { return nil }
            return StorageFailure(
                .invalidArgument, "The root of a bucket is no object: name a child.")
        }
    }

    /// - Parameter pageToken: of the page before.
    func request(for reference: StorageReference, pageToken: String?) -> TransportRequest {
        switch self {
        case .downloadURL, .getMetadata:
            return TransportRequest(.metadata, url: reference.address)
        case .updateMetadata(let body):
            var request = TransportRequest(.update, url: reference.address)
            request.body = .bytes(body)
            return request
        case .delete: return TransportRequest(.delete, url: reference.address)
        case .list(let maxResults, _):
            return Self.listRequest(reference, maxResults: maxResults, pageToken)
        case .listAll: return Self.listRequest(reference, maxResults: nil, pageToken)
        }
    }

    private static func listRequest(
        _ reference: StorageReference, maxResults: Int64?, _ pageToken: String?
    ) -> TransportRequest {
        var query = "delimiter=%2F"
        if !reference.path.isRoot {
            query += "&prefix=" + PercentEncoding.encodeSegment(reference.fullPath + "/")
        }
        if let maxResults { query += "&maxResults=\(maxResults)" }
        if let pageToken { query += "&pageToken=" + PercentEncoding.encodeSegment(pageToken) }
        return TransportRequest(.list, url: "\(reference.root().address)?\(query)")
    }

    /// The URL that fetches an object without credentials: with its first download token.
    static func downloadURL(_ fields: MetadataFields, _ reference: StorageReference) -> URL? {
        guard let token = fields.downloadTokens.first else { return nil }
        let query = "?alt=media&token=" + PercentEncoding.encodeSegment(token)
        return URL(string: reference.address + query)
    }
}

/// What an operation gives: one of its values, nothing (a delete), or an error.
struct OperationResult: Sendable {
    struct Value: Sendable {
        var metadata: StorageMetadata?
        var url: URL?
        var list: StorageListResult?
    }

    var value: Value?
    var error: (any Error)?
}

/// The answer to a list request.
struct ListPage: Hashable, Sendable {
    var prefixes: [String]
    var items: [String]
    var nextPageToken: String?

    /// Nil where the bytes are no JSON object. What is no text is left out.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let fields = json as? [String: Any]
        else { return nil }
        prefixes = (fields["prefixes"] as? [Any] ?? []).compactMap { $0 as? String }
        items = (fields["items"] as? [Any] ?? []).compactMap {
            ($0 as? [String: Any])?["name"] as? String
        }
        nextPageToken = fields["nextPageToken"] as? String
    }
}
