/// How far a child and its scenario are: by that it is told whom a misbehaviour is held against.
///
/// A child serves one scenario after the other, and what it does after one may be seen only when the
/// next has begun. Until it has answered anything of that one, it belongs to the one before.
struct Standing: Hashable {
    enum Stage: CaseIterable {
        /// There is no scenario.
        case none
        /// The client was not told of it yet.
        case begun
        /// `configure` was sent.
        case asked
        /// `configure` was answered.
        case answered
    }

    enum Culprit {
        /// Whoever waits for the child's `hello`.
        case greeting
        /// The child's first scenario, whether it has begun or is still to come.
        case first
        /// The scenario that is over.
        case before
        /// The scenario that is over, unless a fresh child breaks at the same question: then the
        /// scenario that asks it.
        case doubtful
        /// The scenario that is under way.
        case scenario
    }

    /// The child has said who it is.
    var hasSaidHello: Bool
    /// The child has served a scenario, or tried to.
    var hasServed: Bool
    var stage: Stage

    var culprit: Culprit {
        guard hasSaidHello else { return .greeting }
        switch stage {
        case .none, .begun: return hasServed ? .before : .first
        case .asked: return hasServed ? .doubtful : .scenario
        case .answered: return .scenario
        }
    }
}
