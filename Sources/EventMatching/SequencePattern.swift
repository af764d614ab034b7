/// The smallest part of a pattern: a condition on one element, or on the time between two.
package protocol PatternAtom: Hashable, Sendable, CustomStringConvertible {
    associatedtype Element: Hashable, Sendable
    /// The least silence asked for, for an atom that stands between elements and takes none.
    var silence: Duration? { get }
    /// True when the element is what the atom asks for.
    func accepts(_ element: Element) -> Bool
    /// True when the element is of the right kind, whatever its values are.
    func resembles(_ element: Element) -> Bool
    static func time(of element: Element) -> Duration
    /// The atom with its quantifier, as the language writes it.
    func text(_ repetition: Repetition) -> String
}

extension PatternAtom {
    package func text(_ repetition: Repetition) -> String { "\(self)\(repetition)" }
}

/// A pattern over a sequence of elements, which it must describe whole.
package indirect enum SequencePattern<Atom: PatternAtom>: Hashable, Sendable {
    case atom(Atom, Repetition)
    /// One of the alternatives, each of them a sequence.
    case any([[SequencePattern]])
    case sequence([SequencePattern], Repetition)

    /// Atoms after every repetition was written out, with a bound missing counted as its lower one.
    ///
    /// Saturates; a pattern of more than ``limit`` is refused when it is read.
    package var size: Int {
        switch self {
        case .atom(_, let repetition): Self.copies(repetition)
        case .any(let alternatives):
            alternatives.reduce(0) { Self.add($0, Self.size(of: $1)) }
        case .sequence(let parts, let repetition):
            Self.times(Self.size(of: parts), Self.copies(repetition))
        }
    }

    package static var limit: Int { 10_000 }

    package static func size(of parts: [SequencePattern]) -> Int {
        parts.reduce(0) { add($0, $1.size) }
    }

    private static func copies(_ repetition: Repetition) -> Int {
        max(1, repetition.upper ?? repetition.lower)
    }

    private static func add(_ one: Int, _ other: Int) -> Int {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    private static func times(_ one: Int, _ other: Int) -> Int {
        let (product, overflow) = one.multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

extension SequencePattern: CustomStringConvertible {
    package var description: String {
        switch self {
        case .atom(let atom, let repetition): atom.text(repetition)
        case .any(let alternatives):
            "{any: [" + alternatives.map(Self.text).joined(separator: ", ") + "]}"
        case .sequence(let parts, let repetition):
            "{sequence: \(Self.text(parts))\(Self.times(repetition))}"
        }
    }

    private static func text(_ parts: [SequencePattern]) -> String {
        "[" + parts.map(\.description).joined(separator: ", ") + "]"
    }

    private static func times(_ repetition: Repetition) -> String {
        switch (repetition.lower, repetition.upper) {
        case (1, 1): ""
        case (let lower, nil): ", times: \(lower).."
        case (let lower, let upper?):
            lower == upper ? ", times: \(lower)" : ", times: \(lower)..\(upper)"
        }
    }
}
