/// Finds the name that a misspelt one was meant to be.
package enum Spelling {
    /// The nearest of `names`, or nil where none is near: at most a third of the word is wrong.
    ///
    /// Of equally near names the first is taken. A swap of neighbours counts as one mistake.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let word = Array(word.lowercased())
        let limit = max(1, word.count / 3)
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(word, Array(name.lowercased()))
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Insertions, removals, changes and swaps of neighbours that turn one word into the other.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in 0..<one.count {
            var next = [row + 1]
            for column in 0..<other.count {
                let same = one[row] == other[column]
                var cost = min(
                    last[column + 1] + 1, next[column] + 1, last[column] + (same ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1],
                    one[row - 1] == other[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                next.append(cost)
            }
            (beforeLast, last) = (last, next)
        }
        return last[other.count]
    }
}
