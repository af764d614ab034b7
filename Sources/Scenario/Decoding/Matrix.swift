import StorageModel

/// The rows of a scenario's `matrix`.
struct Matrix {
    /// One combination of values.
    struct Row {
        var values: [(name: String, value: YAMLNode)] = []
        /// `[how=reset,kept=none]`; empty without a matrix.
        var suffix = ""
        /// Whether `smoke`, as a mapping of values, means it; nil where it is no mapping.
        var isSmoke: Bool?
    }

    /// More rows than this are refused.
    static let limit = 1000

    private struct Axis {
        var name: String
        var values: [YAMLNode]
    }

    let rows: [Row]

    /// Reads `matrix` and `matrix-exclude` of a scenario.
    init(_ root: YAMLNode, _ decoder: ScenarioDecoder) {
        guard let node = root["matrix"] else {
            if let exclude = root["matrix-exclude"] {
                decoder.error("'matrix-exclude' needs a 'matrix'", at: exclude.place)
            }
            rows = [Row()]
            return
        }
        let axes = Self.axes(node, decoder)
        let count = axes.reduce(1) { min($0 * $1.values.count, Self.limit + 1) }
        guard !axes.isEmpty, count <= Self.limit else {
            if count > Self.limit {
                decoder.error("the matrix has more than \(Self.limit) rows", at: node.place)
            }
            rows = []
            return
        }
        let all = axes.reduce([[Int]()]) { rows, axis in
            rows.flatMap { row in axis.values.indices.map { row + [$0] } }
        }
        let excluded = Self.excluded(root["matrix-exclude"], axes, all, decoder)
        let smoke = Self.smoke(root["smoke"], axes, all, decoder)
        rows = all.indices.filter { !excluded.contains($0) }.map { index in
            var row = Self.row(all[index], axes)
            row.isSmoke = smoke?.contains(index)
            return row
        }
        if rows.isEmpty, !decoder.log.hasErrors {
            decoder.error("the matrix has no row left", at: node.place)
        }
    }

    private static func axes(_ node: YAMLNode, _ decoder: ScenarioDecoder) -> [Axis] {
        decoder.pairs(node, "the matrix").compactMap { _, pair in
            guard let name = decoder.name(pair.key) else { return nil }
            if name == "n" {
                decoder.error("the name 'n' is reserved: it counts", at: pair.key.place)
                return nil
            }
            let values = decoder.list(pair.value)
            if values.count > Self.limit {
                decoder.error("the matrix has more than \(Self.limit) rows", at: pair.value.place)
                return nil
            }
            if values.isEmpty, pair.value.sequence != nil {
                decoder.error("the matrix value '\(name)' has an empty list", at: pair.value.place)
            }
            for value in values { checkTexts(of: value, decoder) }
            for (index, value) in values.enumerated()
            where values[..<index].contains(where: { $0.isEqual(to: value) }) {
                decoder.error("the matrix value '\(name)' has this twice", at: value.place)
            }
            return values.isEmpty ? nil : Axis(name: name, values: values)
        }
    }

    /// What is put in is not looked through again.
    private static func checkTexts(of value: YAMLNode, _ decoder: ScenarioDecoder) {
        switch value.value {
        case .scalar(let text, _):
            if text.contains("${") {
                decoder.error("a matrix value has no '${' in it", at: value.place)
            }
        case .sequence(let nodes): for node in nodes { checkTexts(of: node, decoder) }
        case .mapping(let pairs):
            for pair in pairs {
                checkTexts(of: pair.key, decoder)
                checkTexts(of: pair.value, decoder)
            }
        }
    }

    private static func row(_ indices: [Int], _ axes: [Axis]) -> Row {
        var row = Row()
        var texts: [String] = []
        for (index, axis) in zip(indices, axes) {
            row.values.append((axis.name, axis.values[index]))
            let value = axis.values[index].scalar ?? String(index + 1)
            texts.append("\(axis.name)=\(oneLine(value))")
        }
        row.suffix = "[" + texts.joined(separator: ",") + "]"
        return row
    }

    /// An id is one line, whatever the value: line ends and tabs as YAML writes them in quotes.
    private static func oneLine(_ value: String) -> String {
        value.unicodeScalars.map { scalar in
            switch scalar {
            case "\r": "\\r"
            case "\n": "\\n"
            case "\t": "\\t"
            default: String(scalar)
            }
        }.joined()
    }

    /// Positions of the rows that are left out.
    private static func excluded(
        _ node: YAMLNode?, _ axes: [Axis], _ rows: [[Int]], _ decoder: ScenarioDecoder
    ) -> Set<Int> {
        guard let node else { return [] }
        return decoder.list(node).reduce(into: []) { excluded, entry in
            excluded.formUnion(
                fitting(entry, "an entry of matrix-exclude", axes, rows, decoder) ?? [])
        }
    }

    /// Positions of the rows of the smoke set, where only some are meant.
    private static func smoke(
        _ node: YAMLNode?, _ axes: [Axis], _ rows: [[Int]], _ decoder: ScenarioDecoder
    ) -> Set<Int>? {
        guard let node, node.mapping != nil else { return nil }
        return fitting(node, "'smoke'", axes, rows, decoder)
    }

    /// Positions of the rows that have all values of a mapping; none at all is an error.
    private static func fitting(
        _ entry: YAMLNode, _ what: String, _ axes: [Axis], _ rows: [[Int]],
        _ decoder: ScenarioDecoder
    ) -> Set<Int>? {
        guard let reader = MappingReader(entry, what, keys: axes.map(\.name), decoder) else {
            return nil
        }
        let fitting = rows.indices.filter { row in
            axes.indices.allSatisfy { axis in
                guard let wanted = reader[axes[axis].name] else { return true }
                return axes[axis].values[rows[row][axis]].isEqual(to: wanted)
            }
        }
        if fitting.isEmpty { decoder.error("no row of the matrix is like this", at: entry.place) }
        return Set(fitting)
    }
}

extension YAMLNode {
    /// The same data, wherever it stands and however it is quoted.
    func isEqual(to other: YAMLNode) -> Bool {
        switch (value, other.value) {
        case (.scalar(let one, _), .scalar(let two, _)): return one == two
        case (.sequence(let one), .sequence(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.isEqual(to: $1) }
        case (.mapping(let one), .mapping(let two)):
            return one.count == two.count
                && one.allSatisfy { pair in
                    guard let key = pair.key.scalar, let value = other[key] else { return false }
                    return pair.value.isEqual(to: value)
                }
        default: return false
        }
    }
}
