internal import EventLoop
public import Foundation

/// What is known about an object beside its bytes (rules D6, D8, D13).
///
/// Make one to say what is to be stored, or get one from the server. The class may be used from
/// several threads; a transfer copies what it needs when it is made.
public final class StorageMetadata: Hashable, Sendable, CustomStringConvertible {
    private struct State {
        var fields: MetadataFields
        /// The fields as the server gave them: an update sends what differs.
        let original: MetadataFields
    }

    private let state: Lock<State>

    /// Metadata in which nothing is set.
    public convenience init() { self.init(MetadataFields()) }

    /// Metadata from the fields of an object's resource on the wire.
    ///
    /// Numbers may be integers or texts of digits; what is of another kind counts as absent.
    public convenience init(dictionary: [String: Any]) {
        self.init(MetadataFields(dictionary: dictionary))
    }

    convenience init(_ fields: MetadataFields) {
        self.init(State(fields: fields, original: fields))
    }

    private init(_ state: State) { self.state = Lock(state) }

    /// An equal one that can be changed apart from this.
    public func copy() -> StorageMetadata { StorageMetadata(state.withLock { $0 }) }

    var fields: MetadataFields { state.withLock { $0.fields } }

    /// Body of a metadata update.
    var updateBody: [UInt8] { state.withLock { $0.fields.updateBody(since: $0.original) } }

    /// The fields in the spelling of the wire.
    public func dictionaryRepresentation() -> [String: Any] { fields.dictionary }

    /// The fields in the spelling of the wire, custom ones as `metadata.KEY`, all as texts.
    package var texts: [String: String] {
        let fields = fields
        var texts = fields.dictionary.compactMapValues { $0 as? String }
        for (key, value) in fields.custom ?? [:] { texts["metadata.\(key)"] = value }
        return texts
    }

    // MARK: What the server decides

    /// The bucket that the object is in.
    public var bucket: String { fields.bucket }
    /// The object's full path.
    public var path: String? { fields.path }
    /// The last segment of the path.
    public var name: String? {
        fields.path.map { StoragePath(bucket: "", object: $0).name }
    }
    /// Larger for every newer content at the same path.
    public var generation: Int64 { fields.generation }
    /// 1 for new content, one more with every change of the metadata.
    public var metageneration: Int64 { fields.metageneration }
    /// Bytes.
    public var size: Int64 { fields.size }
    /// Base64 of the MD5 of the content.
    public var md5Hash: String? { fields.md5Hash }
    /// When this content was stored, to the millisecond.
    public var timeCreated: Date? { fields.timeCreated.map(Self.date) }
    /// When content or metadata changed last, to the millisecond.
    public var updated: Date? { fields.updated.map(Self.date) }
    /// True for what the server said about an object.
    public var isFile: Bool { fields.generation != 0 }
    /// Always false: a bucket has no folders, only names with slashes.
    public var isFolder: Bool { false }

    // MARK: What the caller may set; nil removes

    /// How long whom may keep a copy (RFC 9111 section 5.2).
    public var cacheControl: String? {
        get { fields.cacheControl }
        set { set(\.cacheControl, newValue) }
    }
    /// What a browser does with the content, and its file name there (RFC 6266).
    public var contentDisposition: String? {
        get { fields.contentDisposition }
        set { set(\.contentDisposition, newValue) }
    }
    /// How the content is compressed (RFC 9110 section 8.4).
    public var contentEncoding: String? {
        get { fields.contentEncoding }
        set { set(\.contentEncoding, newValue) }
    }
    /// Whom the content is for (RFC 9110 section 8.5).
    public var contentLanguage: String? {
        get { fields.contentLanguage }
        set { set(\.contentLanguage, newValue) }
    }
    /// The content's media type (RFC 9110 section 8.3). One that is given wins over what follows from the
    /// name (rule D8).
    public var contentType: String? {
        get { fields.contentType }
        set { set(\.contentType, newValue) }
    }
    /// Any further fields, a text each. In an update a field that is left out is removed.
    public var customMetadata: [String: String]? {
        get { fields.custom }
        set { set(\.custom, newValue) }
    }

    /// Every field that has a value, for people.
    public var description: String {
        let lines = texts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "StorageMetadata {\(lines.joined(separator: ", "))}"
    }

    /// True where every field is the same, those that only the server sets too.
    public static func == (one: StorageMetadata, other: StorageMetadata) -> Bool {
        one.fields == other.fields
    }

    /// Feeds what `==` compares to the hasher.
    ///
    /// - Parameter hasher: of the collection that asks.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    private func set<Value>(_ key: WritableKeyPath<MetadataFields, Value>, _ value: Value) {
        state.withLock { $0.fields[keyPath: key] = value }
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
