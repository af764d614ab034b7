import ObjectStore
import Scenario
import StorageModel

// Bytes that are expected somewhere.
extension Judge {
    /// What is wrong with the bytes; nil when they are right.
    ///
    /// - Parameters:
    ///   - seen: nil where there is nothing.
    ///   - before: what was there before the scenario.
    func problem(
        _ expected: ContentExpectation, with seen: (any ByteSource)?,
        before: (any ByteSource)? = nil, what: String
    ) -> String? {
        switch expected {
        case .absent: return seen == nil ? nil : "\(what) is there and should not be"
        case .unchanged:
            guard let before else {
                return seen == nil ? nil : "\(what) is there and was not before"
            }
            return difference(seen, from: before, what: what, wanted: "what was there before")
        case .size(let test):
            guard let seen else { return "\(what) is not there" }
            return test.holds(seen.count)
                ? nil : "\(what) has \(seen.count) bytes, \(test) expected"
        case .sameAs(let reference):
            guard let wanted = bytes(of: reference) else {
                return "\(what) has nothing to be compared with: \(Self.words(reference))"
            }
            return difference(seen, from: wanted, what: what, wanted: Self.words(reference))
        case .content(let content):
            guard let wanted = try? evidence.contents.source(content) else {
                return "\(what) cannot be compared: the file beside the scenario cannot be read"
            }
            return difference(seen, from: wanted, what: what, wanted: "what the scenario gives")
        case .any(let alternatives):
            let problems = alternatives.map {
                problem($0, with: seen, before: before, what: what)
            }
            return problems.contains { $0 == nil } ? nil : problems.first ?? nil
        }
    }

    private static func words(_ reference: SameAs) -> String {
        switch reference {
        case .task(let name): "the source of '\(name)'"
        case .object(let object): "the object '\(object)' as it was given"
        }
    }

    private func bytes(of reference: SameAs) -> (any ByteSource)? {
        switch reference {
        // Outside of `repeat` a name given inside means what the last round sent.
        case .task(let name):
            evidence.names(name).reversed().lazy.compactMap { evidence.book.sources[$0] }.first
        case .object(let object): evidence.givenBytes(object)
        }
    }

    private func difference(
        _ seen: (any ByteSource)?, from wanted: any ByteSource, what: String, wanted name: String
    ) -> String? {
        guard let seen else { return "\(what) is not there, \(wanted.count) bytes expected" }
        guard let offset = seen.firstDifference(from: wanted) else { return nil }
        guard seen.count == wanted.count else {
            return "\(what) has \(seen.count) bytes, \(name) has \(wanted.count)"
                + (offset < min(seen.count, wanted.count) ? " and differs from byte \(offset)" : "")
        }
        return "\(what) differs from \(name) at byte \(offset)"
    }
}

extension RunEvidence {
    /// The bytes of an object that the scenario gives, before compression.
    func givenBytes(_ object: ObjectAddress) -> (any ByteSource)? {
        let given =
            givenObjects[object]
            ?? givenObjects[ObjectAddress(bucket: bucket, path: object.path)]
        return given.flatMap { try? contents.source($0) }
    }
}

extension StoredObject {
    /// The bytes before compression.
    var plainBytes: (any ByteSource)? {
        guard attributes.contentEncoding == "gzip", let body, body.count < 256 << 20,
            let plain = Gzip.decompress(body.allBytes, limit: 1 << 30)
        else { return body }
        return ByteArraySource(plain)
    }
}
