import Scenario
import StorageModel

/// What users say about a client that is wrong, and the scenario files that show it.
struct SymptomIndex {
    /// A scenario file, whatever rows its matrix has.
    struct Entry {
        /// Without a row.
        let id: String
        /// The row to look at first: the first one of the smoke set, else the first one.
        let row: PlannedScenario

        var symptom: String? { row.scenario.symptom }
        var title: String { row.scenario.title.value }
        /// The symptom; where the file has none, its title.
        var saying: String { symptom ?? title }
        /// The folder.
        var topic: String { String(id.prefix { $0 != "/" }) }

        /// The symptom alone, without upper case.
        fileprivate var said: String { (symptom ?? "").lowercased() }
        /// All that is in words.
        fileprivate var words: String {
            [symptom, title, row.scenario.about].compactMap(\.self).joined(separator: " ")
                .lowercased()
        }
    }

    /// Where no scenario has all words.
    struct Nearest {
        /// A word that no scenario has, and the nearest that one has.
        let spelling: (wrong: String, right: String)?
        /// Those with most of the words, at most five.
        let entries: [Entry]
    }

    /// In the order of the files.
    let entries: [Entry]

    init(_ planned: [PlannedScenario]) {
        var ids: [String] = []
        var rows: [String: PlannedScenario] = [:]
        for scenario in planned {
            let id = String(scenario.id.prefix { $0 != "[" })
            guard let other = rows[id] else {
                ids.append(id)
                rows[id] = scenario
                continue
            }
            if scenario.scenario.isSmoke, !other.scenario.isSmoke { rows[id] = scenario }
        }
        entries = ids.compactMap { id in rows[id].map { Entry(id: id, row: $0) } }
    }

    /// Those whose symptom has all words, in any case and order; then those that have them in their
    /// symptom, title and `about` together.
    func search(_ words: [String]) -> [Entry] {
        let words = Self.folded(words)
        let first = entries.filter { entry in
            entry.symptom != nil && words.allSatisfy(entry.said.contains)
        }
        let taken = Set(first.map(\.id))
        return first
            + entries.filter { entry in
                !taken.contains(entry.id) && words.allSatisfy(entry.words.contains)
            }
    }

    /// What was perhaps meant where `search` found nothing.
    func nearest(to words: [String]) -> Nearest {
        let words = Self.folded(words)
        let texts = entries.map(\.words)
        let unknown = words.first { word in !texts.contains { $0.contains(word) } }
        let right = unknown.flatMap { Spelling.nearest(to: $0, among: Self.vocabulary(texts)) }
        let meant = words.map { $0 == unknown ? right ?? $0 : $0 }
        let scores = zip(entries, texts).map { entry, text in
            (entry, meant.count(where: text.contains))
        }
        let best = scores.map(\.1).max() ?? 0
        let near = best == 0 ? [] : scores.filter { $0.1 == best }.prefix(5).map(\.0)
        guard let unknown, let right else { return Nearest(spelling: nil, entries: near) }
        return Nearest(spelling: (unknown, right), entries: near)
    }

    /// One by one, without upper case: words that stand between quotes count one by one, too.
    private static func folded(_ words: [String]) -> [String] {
        words.flatMap { $0.lowercased().split(separator: " ").map(String.init) }
    }

    private static func vocabulary(_ texts: [String]) -> [String] {
        let words = texts.flatMap { text in
            text.split { !$0.isLetter }.map(String.init).filter { $0.count > 2 }
        }
        return Set(words).sorted()
    }
}
