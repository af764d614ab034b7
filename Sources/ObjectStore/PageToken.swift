import Checksums
import StorageModel

/// Where a listing goes on: after an item, or after everything that a prefix folds.
///
/// Opaque on the wire: it holds the place, tied to prefix and delimiter by a check value.
struct PageToken: Hashable {
    enum Place: Hashable {
        case item(String)
        case prefix(String)
    }

    let place: Place

    init(_ place: Place) { self.place = place }

    /// Nil for a text that was not given out for a listing of this kind.
    init?(_ text: String, for query: ListQuery) {
        let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        guard let bytes = Base64.decode(String(standard)), bytes.count > 5 else { return nil }
        let name = String(decoding: bytes[5...], as: UTF8.self)
        place = bytes[4] == 1 ? .prefix(name) : .item(name)
        guard self.text(for: query) == text else { return nil }
    }

    func text(for query: ListQuery) -> String {
        let (kind, name): (UInt8, String) =
            switch place {
            case .item(let name): (0, name)
            case .prefix(let name): (1, name)
            }
        let check = SplitMix64.derive(
            UInt64(kind), "page", query.prefix, query.delimiter ?? "\u{0}", name)
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: check >> (8 * $0)) }
        let encoded = Base64.encode(bytes + [kind] + Array(name.utf8))
        return String(encoded.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}
