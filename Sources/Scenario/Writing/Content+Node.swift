import Checksums
import StorageModel

extension Content {
    /// As the language writes it.
    var node: YAMLNode { .map(kind.node.pairs + [("gzip", isGzipped ? .flag(true) : nil)]) }
}

extension Content.Kind {
    fileprivate var node: YAMLNode {
        switch self {
        case .synthetic(let size, let seed): .map([("size", .size(size)), ("seed", .number(seed))])
        case .zeros(let size): .map([("size", .size(size)), ("zeros", .flag(true))])
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path): .map([("file", .text(ScenarioPath.name(of: path)))])
        }
    }
}

extension YAMLNode {
    /// `{text: ...}` where the bytes are text that an editor shows, else `{base64: ...}`.
    static func bytes(_ bytes: [UInt8]) -> YAMLNode {
        if let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({
                $0.value >= 0x20 || "\n\r\t".unicodeScalars.contains($0)
            })
        {
            return .map([("text", .text(text))])
        }
        return .map([("base64", .text(Base64.encode(bytes)))])
    }
}

extension ContentExpectation {
    /// As the language writes it.
    var node: YAMLNode {
        switch self {
        case .sameAs(.task(let name)): .map([("same-as", .text(name))])
        case .sameAs(.object(let object)): .map([("same-as", object.node)])
        case .content(let content): content.node
        case .size(let test): .map([("size", test.node)])
        case .absent: .word("absent")
        case .unchanged: .word("unchanged")
        case .any(let alternatives): .map([("any", .list(alternatives.map(\.node)))])
        }
    }
}

extension StoredTest {
    /// As the language writes it.
    var node: YAMLNode {
        switch self {
        case .absent: .word("absent")
        case .any(let alternatives): .map([("any", .list(alternatives.map(\.node)))])
        case .present(let object):
            .map(
                (object.content?.node.pairs ?? []) + [
                    ("generations", object.generations?.node),
                    ("metadata", object.metadata?.node),
                    ("versions", object.versions.map { .list($0.map(\.node)) }),
                ])
        }
    }
}

extension ObjectAddress {
    var node: YAMLNode { .text(description) }
}
