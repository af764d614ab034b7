import EventMatching

/// What a pattern can say about the classes of elements alone: which may come first, last and next
/// to each other, and how many of each.
///
/// It is coarser than the pattern, never finer: what it excludes, the pattern cannot take. So it
/// tells, without the matcher, that a right matcher has to turn red.
struct CoarsePattern<Class: Hashable & Sendable> {
    private struct Pair: Hashable {
        let one: Class
        let next: Class
    }

    private var isOptional = true
    private var firsts: Set<Class> = []
    private var lasts: Set<Class> = []
    private var pairs: Set<Pair> = []
    /// So many elements of the class come at least; 0 where it is not there.
    private var least: [Class: Int] = [:]
    /// So many come at most, `Int.max` for no end; 0 where it is not there.
    private var most: [Class: Int] = [:]

    /// - Parameter classes: those whose elements an atom may take; empty for a silence.
    init<Atom: PatternAtom>(
        _ pattern: [SequencePattern<Atom>], classes: (Atom) -> Set<Class>
    ) {
        for part in pattern { append(Self(part, classes)) }
    }

    private init() {}

    private init<Atom: PatternAtom>(
        _ part: SequencePattern<Atom>, _ classes: (Atom) -> Set<Class>
    ) {
        switch part {
        case .atom(let atom, let repetition):
            let taken = classes(atom)
            guard !taken.isEmpty else { return }
            isOptional = false
            firsts = taken
            lasts = taken
            if taken.count == 1, let only = taken.first { least[only] = 1 }
            for one in taken { most[one] = 1 }
            times(repetition)
        case .any(let alternatives):
            let shapes = alternatives.map { Self($0, classes: classes) }
            guard let first = shapes.first else { return }
            self = shapes.dropFirst().reduce(first) { $0.or($1) }
        case .sequence(let parts, let repetition):
            self = Self(parts, classes: classes)
            times(repetition)
        }
    }

    /// True when the pattern takes no sequence whose elements are of these classes.
    func excludes(_ sequence: [Class]) -> Bool {
        guard let first = sequence.first, let last = sequence.last else { return !isOptional }
        guard firsts.contains(first), lasts.contains(last) else { return true }
        let neighbours = zip(sequence, sequence.dropFirst())
        if neighbours.contains(where: { !pairs.contains(Pair(one: $0, next: $1)) }) { return true }
        var counts: [Class: Int] = [:]
        for one in sequence { counts[one, default: 0] += 1 }
        return least.contains { counts[$0.key, default: 0] < $0.value }
            || counts.contains { $0.value > most[$0.key, default: 0] }
    }

    // MARK: Putting together

    private mutating func append(_ other: Self) {
        join(lasts, other.firsts)
        pairs.formUnion(other.pairs)
        if isOptional { firsts.formUnion(other.firsts) }
        lasts = other.isOptional ? lasts.union(other.lasts) : other.lasts
        least.merge(other.least, uniquingKeysWith: Self.sum)
        most.merge(other.most, uniquingKeysWith: Self.sum)
        isOptional = isOptional && other.isOptional
    }

    private func or(_ other: Self) -> Self {
        var either = Self()
        either.isOptional = isOptional || other.isOptional
        either.firsts = firsts.union(other.firsts)
        either.lasts = lasts.union(other.lasts)
        either.pairs = pairs.union(other.pairs)
        either.least = least.filter { other.least[$0.key] != nil }
        either.least.merge(other.least.filter { least[$0.key] != nil }, uniquingKeysWith: min)
        either.most = most.merging(other.most, uniquingKeysWith: max)
        return either
    }

    private mutating func times(_ repetition: Repetition) {
        let upper = repetition.upper ?? .max
        guard upper > 0 else {
            self = Self()
            return
        }
        if upper > 1 { join(lasts, firsts) }
        isOptional = isOptional || repetition.lower == 0
        least = least.mapValues { Self.product($0, repetition.lower) }.filter { $0.value > 0 }
        most = most.mapValues { Self.product($0, upper) }
    }

    private mutating func join(_ ends: Set<Class>, _ beginnings: Set<Class>) {
        for one in ends { for next in beginnings { pairs.insert(Pair(one: one, next: next)) } }
    }

    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }

    private static func product(_ one: Int, _ other: Int) -> Int {
        let (product, isTooMuch) = one.multipliedReportingOverflow(by: other)
        return isTooMuch ? .max : product
    }
}

extension SequencePattern {
    /// Every atom in it, in the order of the text.
    var atoms: [Atom] {
        switch self {
        case .atom(let atom, _): [atom]
        case .any(let alternatives): alternatives.flatMap { $0.flatMap(\.atoms) }
        case .sequence(let parts, _): parts.flatMap(\.atoms)
        }
    }
}
