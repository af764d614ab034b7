import EventMatching
import FaultEngine
import Scenario
import StorageModel

// What a test cannot take, whatever it was held against: the rules of lies are made of these.

extension TextTest {
    /// A text that it refuses; nil: that there is none is what it refuses.
    var refused: String? {
        switch self {
        case .equals(let wanted): wanted + "-not"
        case .absent: "there"
        case .present, .contains, .matches: nil
        }
    }
}

extension NumberTest {
    /// A number that it refuses, 0 or more, as near as there is one; nil: none was found.
    func refused(near number: Int64) -> Int64? {
        guard !isPercent else { return nil }
        let candidates = [number + 1, number - 1, 0, number + 1000, number + (1 << 50)]
        return candidates.first { $0 >= 0 && !holds($0) }
    }

    /// How far a moment has to be moved so that no time from another moment to it is taken, whatever
    /// the clock's grace; nil where every time is.
    var refusedShift: Duration? {
        if upperBound != nil { return .seconds(1_000_000_000) }
        return lowerBound == nil ? nil : .seconds(-1_000_000_000)
    }
}

extension MetadataTest {
    /// Fields that it refuses, each set with the name of what is changed.
    ///
    /// - Parameter seen: what it took; nil: no metadata.
    func refused(_ seen: [String: String]?) -> [(what: String, fields: [String: String]?)] {
        if isNone { return [("metadata where there was none", ["name": "there"])] }
        guard let seen else { return [] }
        var all: [(String, [String: String]?)] = []
        func change(_ key: String, _ value: String?) {
            var fields = seen
            fields[key] = value
            all.append(("'\(key)'", fields))
        }
        if let size, let told = seen["size"].flatMap({ Int64($0) }),
            let wrong = size.refused(near: told)
        {
            change("size", String(wrong))
        }
        for (name, test) in fields.sorted(by: { $0.key < $1.key }) { change(name, test.refused) }
        for (name, test) in custom.sorted(by: { $0.key < $1.key }) {
            change("metadata.\(name)", test.refused)
        }
        return all
    }
}

extension ResultTest {
    /// True where it does not take that there is no value.
    var refusesNothing: Bool {
        switch self {
        case .text(.absent), .flag(false): false
        case .text, .number, .list, .flag: true
        case .content(let content): content.isExact
        case .headers(let tests): tests.values.contains { $0 != .absent }
        case .metadata(let test): !test.isNone && !test.isEmpty
        }
    }
}
