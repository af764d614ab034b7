import Glibc
import Scenario
import StorageModel

/// The files that are mutated.
package struct Corpus: Sendable {
    /// A file and the folder that files beside it are looked for in.
    package struct Entry: Sendable {
        /// The path under which the file is loaded.
        package var path: String
        package var bytes: [UInt8]
    }

    package let entries: [Entry]
    /// Words of all files, to be put elsewhere.
    package let words: [[UInt8]]

    /// Every scenario below the folders, as it is and as the writer writes it, and every so manyth row of
    /// the fault table.
    ///
    /// - Throws: `Failure` where nothing is found.
    package init(folders: [String], faultRowEach step: Int = 97) throws(Failure) {
        var entries: [Entry] = []
        var seen: Set<String> = []
        let plan = ScenarioLoader().plan(folders)
        for planned in plan.planned {
            if seen.insert(planned.file).inserted, let bytes = Self.bytes(of: planned.file) {
                entries.append(Entry(path: planned.file, bytes: bytes))
                let written = Array(planned.scenario.text().utf8)
                entries.append(Entry(path: planned.file, bytes: written))
            }
        }
        guard !entries.isEmpty else { throw Failure(text: "no scenario in \(folders)") }
        for (index, row) in FaultTable.rows.enumerated() where index % step == 0 {
            entries.append(Entry(path: "row.yaml", bytes: Array(row.scenarioText.utf8)))
        }
        self.entries = entries
        words = Self.words(of: entries)
    }

    package struct Failure: Error {
        package let text: String

        package init(text: String) { self.text = text }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&buffer, 1, buffer.count, file)
        return Array(buffer[..<count])
    }

    /// In the order in which they first come, so that a seed means the same words.
    private static func words(of entries: [Entry]) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var seen: Set<[UInt8]> = []
        for entry in entries {
            for token in Tokens.ranges(in: entry.bytes) {
                let word = Array(entry.bytes[token])
                if word.count < 40, seen.insert(word).inserted { words.append(word) }
            }
        }
        return words
    }
}
