import Foundation
import StorageModel

/// A transcript that was read.
package struct TranscriptFile: Sendable {
    package static let title = "squall transcript 1"

    package enum Entry: Hashable, Sendable {
        case sent([UInt8])
        case received([UInt8])
        /// The beginning of a line whose end never came.
        case receivedHalf([UInt8])
        /// What became of the client.
        case noted(String)
        /// Of the file at a path there is this copy, or it was something else.
        case file(path: String, mode: UInt32, KeptFile)
    }

    package enum KeptFile: Hashable, Sendable {
        /// The path of the copy.
        case copy(String)
        case folder
        case nothing
        /// Too large, or not readable.
        case notKept
    }

    package struct Timed: Hashable, Sendable {
        package let time: Duration
        /// In the file, from 1.
        package let line: Int
        package let entry: Entry
    }

    /// What stands at its beginning: the scenario's id and more.
    package private(set) var heading: [String] = []
    package private(set) var entries: [Timed] = []

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: for a file that cannot be read or is no transcript, with the line.
    package init(path: String) throws(Failure) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "\(path) cannot be read")
        }
        let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.first.map({ Array($0) }) == Array("# \(Self.title)".utf8) else {
            throw Failure(description: "\(path):1: is no transcript: '# \(Self.title)' is missing")
        }
        var time = Duration.zero
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            let place = "\(path):\(index + 1)"
            let bytes = Array(line)
            if line.first == UInt8(ascii: "#") {
                let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
                if let entry = Self.file(text, copies: path + ".files") {
                    entries.append(Timed(time: time, line: index + 1, entry: entry))
                } else if entries.isEmpty {
                    heading.append(text)
                }
                continue
            }
            guard let (moment, entry) = Self.entry(bytes) else {
                throw Failure(
                    description: "\(place): is no line of a transcript: TIME MARK TEXT is wanted")
            }
            time = moment
            entries.append(Timed(time: time, line: index + 1, entry: entry))
        }
    }

    /// Of the scenario, as the client was told it; nil where it was not told.
    package var timeScale: Double? {
        for timed in entries {
            if case .sent(let line) = timed.entry, let message = try? JSONLinesCodec.command(line),
                case .configure(_, let configuration) = message
            {
                return configuration.timeScale
            }
        }
        return nil
    }

    private static func entry(_ line: [UInt8]) -> (Duration, Entry)? {
        let parts = line.drop { $0 == 0x20 }.split(
            separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3,
            let time = ScalarText.duration(String(decoding: parts[0], as: UTF8.self) + "s")
        else { return nil }
        let text = Array(parts[2])
        switch String(decoding: parts[1], as: UTF8.self) {
        case ">": return (time, .sent(text))
        case "<": return (time, .received(text))
        case "<~": return (time, .receivedHalf(text))
        case "!": return (time, .noted(String(decoding: text, as: UTF8.self)))
        default: return nil
        }
    }

    private static func file(_ text: String, copies: String) -> Entry? {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        if words[0] == "nothing" { return .file(path: words[1], mode: 0, .nothing) }
        let parts = words[1].split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let mode = UInt32(parts[0], radix: 8) else { return nil }
        switch words[0] {
        case "folder": return .file(path: parts[1], mode: mode, .folder)
        case "larger": return .file(path: parts[1], mode: mode, .notKept)
        case "file":
            let rest = parts[1].split(separator: " ", maxSplits: 1).map(String.init)
            guard rest.count == 2 else { return nil }
            return .file(path: rest[1], mode: mode, .copy("\(copies)/\(rest[0])"))
        default: return nil
        }
    }
}
