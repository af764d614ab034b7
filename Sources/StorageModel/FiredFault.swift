/// A fault that fired on an exchange, with what chance decided for it.
package struct FiredFault: Hashable, Sendable {
    /// Position of the fault in its list, from 1.
    package var rule: Int
    /// Its name, or its short text.
    package var name: String
    package var time: Duration
    /// The exchange's ordinal among those that fit the fault, from 1; counted apart for each transfer,
    /// object or connection, as the fault's `per` says.
    package var ordinal: Int
    /// The words of its actions, in order: `delay`, `disconnect`.
    package var actions: [String]
    /// Seeded number that decided, from 0 up to (not including) 1; nil for a fault without chance.
    package var draw: Double?
    /// The fault fires where the number is below this; nil for a fault without chance.
    package var chance: Double?
    /// What its delays came to, in the order in which they began.
    package var delays: [Duration] = []

    package init(
        rule: Int, name: String, time: Duration, ordinal: Int = 1, actions: [String] = [],
        draw: Double? = nil, chance: Double? = nil
    ) {
        self.rule = rule
        self.name = name
        self.time = time
        self.ordinal = ordinal
        self.actions = actions
        self.draw = draw
        self.chance = chance
    }
}
