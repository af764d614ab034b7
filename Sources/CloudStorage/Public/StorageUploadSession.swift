internal import EventLoop

/// An upload of a file that has begun and can go on in another process: see
/// `StorageUploadTask.savedSession`. It can be encoded, to be kept on disk meanwhile.
///
/// It names a place on the server to which anybody may send the rest of the object, so it is to be
/// kept as well as the file itself. Servers keep a session for about a week.
public struct StorageUploadSession: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The bucket that the object will be in.
    public let bucket: String
    /// Full path of the object.
    public let path: String
    /// Bytes that the server had acknowledged when this was saved. What the server says is what counts
    /// when the upload goes on.
    public let confirmedBytes: Int64
    /// Bytes of the file.
    public var totalBytes: Int64 { source.size }
    let url: String
    let server: String
    let granularity: Int64
    /// As in `UploadMachine.Session`; nil in what was saved without it, too.
    let began: Int64?
    /// The file as it was when the upload began.
    let source: FileIdentity
    private let version: Int

    private static let currentVersion = 1

    init(
        _ session: UploadMachine.Session, of reference: StorageReference, server: String,
        confirmed: Int64, source: FileIdentity
    ) {
        bucket = reference.bucket
        path = reference.fullPath
        confirmedBytes = confirmed
        url = session.url
        self.server = server
        granularity = session.granularity
        began = session.began
        self.source = source
        version = Self.currentVersion
    }

    /// Reads what was encoded.
    ///
    /// - Throws: `DecodingError` for anything that is no session, or one of a later version.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func check(_ isGood: Bool, _ key: CodingKeys, _ reason: String) throws {
            guard !isGood else { return }
            throw DecodingError.dataCorruptedError(
                forKey: key, in: fields, debugDescription: reason)
        }
        version = try fields.decode(Int.self, forKey: .version)
        let isKnown = version == Self.currentVersion
        try check(isKnown, .version, "version \(version) of a session is not known here")
        bucket = try fields.decode(String.self, forKey: .bucket)
        path = try fields.decode(String.self, forKey: .path)
        url = try fields.decode(String.self, forKey: .url)
        try check(!url.isEmpty, .url, "a session has an address")
        server = try fields.decode(String.self, forKey: .server)
        granularity = try fields.decode(Int64.self, forKey: .granularity)
        try check(granularity > 0, .granularity, "a unit has 1 byte or more")
        began = try fields.decodeIfPresent(Int64.self, forKey: .began)
        source = try fields.decode(FileIdentity.self, forKey: .source)
        try check(source.size >= 0, .source, "a file has 0 bytes or more")
        confirmedBytes = try fields.decode(Int64.self, forKey: .confirmedBytes)
        let isInside = (0...source.size).contains(confirmedBytes)
        try check(isInside, .confirmedBytes, "no more can be confirmed than there is")
    }

    /// The object and how far its upload is, for people; without the address of the session.
    public var description: String {
        "upload of gs://\(bucket)/\(path), \(confirmedBytes) of \(totalBytes) bytes"
    }

    /// Why an upload to a place cannot go on with this.
    func problem(for reference: StorageReference) -> StorageFailure? {
        guard bucket == reference.bucket, path == reference.fullPath else {
            return StorageFailure(
                .invalidArgument,
                "The session is of gs://\(bucket)/\(path), and not of \(reference.path.text).")
        }
        let server = reference.storage.settings.withLock { $0.endpoint.text }
        guard self.server == server else {
            return StorageFailure(
                .invalidArgument, "The session is of \(self.server), and not of \(server).")
        }
        return nil
    }

    /// Nil for another file than at the beginning: its bytes must not be mixed with those that the
    /// server has.
    func session(for file: FileIdentity?) -> UploadMachine.Session? {
        guard file == source else { return nil }
        return UploadMachine.Session(
            url: url, granularity: granularity, began: began, isEarlier: true)
    }
}
