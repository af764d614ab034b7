import Foundation
import StorageModel

/// The words of a typed line, taken from the left.
struct Words {
    private var words: ArraySlice<String>

    /// A word in double quotes may hold spaces.
    init(_ text: String) throws(DriveError) {
        var words: [String] = []
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { throw DriveError("a quote is not closed") }
        for (index, part) in parts.enumerated() {
            if index % 2 == 1 {
                words.append(String(part))
            } else {
                words += part.replacing(";", with: " ; ").split(separator: " ").map(String.init)
            }
        }
        self.words = words[...]
    }

    init(_ words: ArraySlice<String>) { self.words = words }

    var peek: String? { words.first }

    mutating func next() -> String? { words.popFirst() }

    mutating func skip() { words = words.dropFirst() }

    /// All that are left.
    mutating func rest() -> ArraySlice<String> {
        defer { words = [] }
        return words
    }

    mutating func need(_ what: String, in example: String) throws(DriveError) -> String {
        guard let word = next() else {
            throw DriveError("\(what) is missing; for example: \(example)")
        }
        return word
    }

    mutating func event(in example: String) throws(DriveError) -> TransferEvent.Kind {
        let word = try need("EVENT", in: example)
        guard let kind = TransferEvent.Kind(rawValue: word) else {
            let names = TransferEvent.Kind.allCases.map(\.rawValue)
            throw DriveError("'\(word)' is not one of: \(names.joined(separator: ", "))")
        }
        return kind
    }

    mutating func events(in example: String) throws(DriveError) -> [TransferEvent.Kind] {
        var kinds: [TransferEvent.Kind] = []
        while peek != nil { kinds.append(try event(in: example)) }
        return kinds
    }

    mutating func size(in example: String) throws(DriveError) -> Int64 {
        let word = try need("SIZE", in: example)
        guard let size = ScalarText.size(word) else {
            throw DriveError("'\(word)' is no size like 512KiB; for example: \(example)")
        }
        return size
    }

    /// `KEY=VALUE`; nothing after the sign clears the field.
    mutating func fields(in example: String) throws(DriveError) -> [String: String?] {
        var fields: [String: String?] = [:]
        while let word = next() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw DriveError("'\(word)' is not KEY=VALUE; for example: \(example)")
            }
            fields[String(parts[0])] = .some(parts[1].isEmpty ? nil : String(parts[1]))
        }
        guard !fields.isEmpty else {
            throw DriveError("KEY=VALUE is missing; for example: \(example)")
        }
        return fields
    }

    func end(_ verb: String) throws(DriveError) {
        guard let word = words.first else { return }
        throw DriveError("'\(verb)' takes no '\(word)'")
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    var absolutePath: String {
        hasPrefix("/") ? self : FileManager.default.currentDirectoryPath + "/" + self
    }
}
