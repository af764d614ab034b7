package import StorageModel

/// Why something is not as it should be: a mutant that nothing catches, a rule that no mutant covers, a
/// scenario that no mutant turns red. Each with its reason, in a file of lines.
package struct Explanations: Hashable, Sendable {
    package enum Section: String, Hashable, Sendable, CaseIterable {
        /// Mutants that are the honest client in everything that can be seen.
        case equivalent
        case rule
        case scenario
    }

    package struct Entry: Hashable, Sendable {
        package let section: Section
        /// A name, or a pattern of names.
        package let name: Glob
        package let reason: String
        package let line: Int
    }

    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    package let entries: [Entry]

    package init(_ entries: [Entry] = []) { self.entries = entries }

    /// Reads lines `NAME = REASON` below heads `[equivalent]`, `[rule]` and `[scenario]`; lines that
    /// begin with `#` say nothing.
    ///
    /// - Parameter file: its name, for errors.
    /// - Throws: `Unreadable` with the place of the first line that is none of these.
    package init(_ text: String, file: String) throws(Unreadable) {
        var entries: [Entry] = []
        var section: Section?
        for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = whole.drop { $0 == " " }
            if line.isEmpty || line.hasPrefix("#") { continue }
            let place = "\(file):\(index + 1)"
            if line.hasPrefix("[equivalent]") || line.hasPrefix("[rule]")
                || line.hasPrefix("[scenario]")
            {
                section = Section(rawValue: String(line.dropFirst().prefix { $0 != "]" }))
                continue
            }
            guard let section else {
                throw Unreadable(description: "\(place): a line before the first [section]")
            }
            guard let mark = line.firstRange(of: " = "), mark.upperBound < line.endIndex else {
                throw Unreadable(description: "\(place): this is not NAME = REASON: \(line)")
            }
            entries.append(
                Entry(
                    section: section, name: Glob(String(line[..<mark.lowerBound])),
                    reason: String(line[mark.upperBound...]), line: index + 1))
        }
        self.entries = entries
    }

    package func reason(_ section: Section, _ name: String) -> String? {
        entries.first { $0.section == section && $0.name.matches(name) }?.reason
    }

    /// Entries that explain nothing: their thing is as it should be, or is not there.
    ///
    /// - Parameter needed: the names that need an explanation.
    package func stale(_ section: Section, needed: Set<String>) -> [Entry] {
        entries.filter { entry in
            entry.section == section && !needed.contains { entry.name.matches($0) }
        }
    }
}
