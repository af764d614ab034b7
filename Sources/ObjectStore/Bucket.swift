import StorageModel

/// The objects of one bucket, each with all its generations.
final class Bucket {
    /// All generations by name, oldest first; never empty.
    private(set) var objects: [NameKey: [ObjectVersion]]
    /// Names with a live generation in the order of their bytes; nil: to be sorted anew.
    private var sorted: [NameKey]?

    init(_ objects: [NameKey: [ObjectVersion]] = [:]) { self.objects = objects }

    /// Every generation of every object.
    var allVersions: [ObjectVersion] { objects.values.flatMap { $0 } }

    func versions(of name: String) -> [ObjectVersion] { objects[NameKey(name)] ?? [] }

    func live(_ name: String) -> ObjectVersion? {
        objects[NameKey(name)]?.last.flatMap { $0.isLive ? $0 : nil }
    }

    /// Adds a generation; the live one before it is no longer live.
    ///
    /// - Parameter limit: generations that are remembered; 1 or more.
    func add(_ version: ObjectVersion, limit: Int) {
        let key = NameKey(version.attributes.name)
        if let last = objects[key]?.last, last.isLive { last.isLive = false } else { sorted = nil }
        objects[key, default: []].append(version)
        if let count = objects[key]?.count, count > limit {
            objects[key]?.removeFirst(count - limit)
        }
    }

    func delete(_ version: ObjectVersion) {
        version.isLive = false
        sorted = nil
    }

    /// Names of the live objects in the order of their bytes.
    var liveNames: [NameKey] {
        if let sorted { return sorted }
        let names = objects.filter { $0.value.last?.isLive == true }.keys.sorted()
        sorted = names
        return names
    }

    /// Generations that are not live and still hold bytes.
    var replacedVersions: [ObjectVersion] {
        objects.values.flatMap { $0 }.filter { !$0.isLive && $0.body != nil }
    }
}

/// One generation as the store keeps it.
final class ObjectVersion {
    var attributes: ObjectAttributes { didSet { memo = AnswerMemo() } }
    private(set) var memo = AnswerMemo()
    var body: (any ByteSource)?
    var isLive = true
    /// True: the sums of the body were not computed yet.
    var lacksSums: Bool

    init(_ attributes: ObjectAttributes, body: (any ByteSource)?, lacksSums: Bool) {
        self.attributes = attributes
        self.body = body
        self.lacksSums = lacksSums
    }
}
